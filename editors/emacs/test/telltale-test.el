;;; telltale-test.el --- Telltale in Emacs, in batch mode  -*- lexical-binding: t; -*-

;; Reads TELLTALE (the binary), DEMO (a copy of the project), RECORDED (one whose tests may run, or nothing) and CLIENT
;; (eglot or lsp).

;;; Code:

(require 'ert)
(require 'telltale)

(setq make-backup-files nil
      create-lockfiles nil
      auto-save-default nil
      telltale-program (getenv "TELLTALE"))
(telltale-setup)

;; The demo is a project without git, which need not be there.
(setq vc-handled-backends nil)

(defvar telltale-test-client (intern (getenv "CLIENT")))
(defvar telltale-test-demo (file-name-as-directory (getenv "DEMO")))

(defvar eglot-autoreconnect)
(defvar eglot-sync-connect)
(defvar eglot-confirm-server-initiated-edits)
(defvar eglot-confirm-server-edits)
(defvar eglot-server-programs)
(defvar eglot--managed-mode)
(declare-function eglot-shutdown "eglot")
(declare-function lsp "lsp-mode")
(declare-function lsp-lens-mode "lsp-lens")
(declare-function lsp-lens-refresh "lsp-lens")
(declare-function lsp-workspace-folders-add "lsp-mode")
(declare-function lsp-workspace-shutdown "lsp-mode")
(defvar lsp-session-file)
(defvar lsp-enabled-clients)
(defvar lsp-auto-guess-root)
(defvar lsp-enable-snippet)
(defvar lsp-enable-file-watchers)
(defvar lsp-keep-workspace-alive)

(defun telltale-test-until (done &optional seconds)
  "Wait until DONE gives something, or 20 or SECONDS seconds are over; that."
  (let ((end (+ (float-time) (or seconds 20))) found)
    (while (and (not (setq found (funcall done))) (< (float-time) end))
      (accept-process-output nil 0.05)
      (sit-for 0.01))
    found))

(defun telltale-test-start ()
  "Start the client in this buffer, as its users do."
  (pcase telltale-test-client
    ('eglot
     (require 'eglot)
     (setq eglot-autoreconnect nil eglot-sync-connect 10
           eglot-confirm-server-initiated-edits nil
           eglot-confirm-server-edits nil)
     (unless (eglot-current-server)
       (telltale-eglot)))
    ('lsp
     (require 'lsp-mode)
     ;; Here packages are not installed, so nothing loads these when they are needed.
     (dolist (part '(lsp-lens lsp-modeline lsp-headerline lsp-diagnostics lsp-completion))
       (require part))
     (setq lsp-session-file (make-temp-file "telltale-session")
           lsp-enabled-clients '(telltale)
           lsp-auto-guess-root t
           lsp-enable-snippet nil
           lsp-enable-file-watchers nil
           lsp-keep-workspace-alive nil)
     (lsp-workspace-folders-add telltale-test-demo)
     (lsp)
     (telltale-test-until #'lsp-workspaces))))

(defmacro telltale-test-in (file text &rest body)
  "Open FILE of the demo with a client, go to TEXT, run BODY once all is read."
  (declare (indent 2))
  `(with-current-buffer (find-file-noselect (expand-file-name ,file telltale-test-demo))
     (switch-to-buffer (current-buffer))
     (telltale-test-start)
     (goto-char (point-min))
     (search-forward ,text)
     (telltale-test-until
      (lambda ()
        (ignore-errors
          (= 22 (telltale--get (telltale--ask "telltale.observe") "counts" "files")))))
     ,@body))

(defconst telltale-test-book "src/test/java/demo/OrderBookTest.java")
(defconst telltale-test-stats "src/test/java/demo/StatsTest.java")

(ert-deftest telltale-test-list ()
  "The list begins with what the test could assert; RET goes to the place."
  (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
    (telltale-observe)
    (should (equal (buffer-name) "*Telltale*"))
    (goto-char (point-min))
    (should (looking-at " readable +1 book\\.open() +OrderBookTest\\.java:25 +would reveal"))
    (search-forward " inside ")
    (should (looking-at " +1 others"))
    (telltale-visit)
    (should (string-suffix-p "OrderBook.java" (buffer-file-name)))
    (should (looking-at-p "others = order\\.side"))
    (with-current-buffer "*Telltale*"
      (revert-buffer)
      (should (= 1 (count-matches "1 book\\.open()" (point-min) (point-max)))))))

(ert-deftest telltale-test-assert ()
  "The best assertion is inserted, and undone in one step."
  (telltale-test-in telltale-test-stats "int length"
    (let ((before (buffer-string)))
      (buffer-enable-undo)
      (undo-boundary)
      (telltale-assert)
      (should (telltale-test-until
               (lambda () (string-match-p "assertEquals(Integer.MIN_VALUE, length);" (buffer-string)))))
      (undo-boundary)
      (setq last-command nil)
      (undo)
      (should (equal before (buffer-string))))
    (set-buffer-modified-p nil)))

(ert-deftest telltale-test-outside ()
  "Outside of a test the list is about the file, and nothing can be asserted."
  (telltale-test-in "src/main/java/demo/Stats.java" "int comparison"
    (should-error (telltale-assert) :type 'user-error)
    (telltale-observe)
    (goto-char (point-min))
    (should (looking-at " +1 comparison"))))

(ert-deftest telltale-test-suspects ()
  "Of tests that somebody wrote no assertion is listed, and that is said."
  (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
    (should (string-match-p "No test of this file counts as generated"
                            (cadr (should-error (telltale-suspects) :type 'user-error))))
    (let ((row (telltale--suspect "/a/B.java"
                                  '(:range (:start (:line 4 :character 8)) :text "a.b()"
                                    :rank 2 :score 0.41 :message "so"))))
      (should (equal row '(("/a/B.java" 5 9) ["2" "0.410" "5" "a.b()" "so"]))))))

(ert-deftest telltale-test-weakest ()
  "The weakest tests of the project are listed, and RET goes to one."
  (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
    (telltale-weakest)
    (goto-char (point-min))
    (should (search-forward "OrderBookTest.takesTheBestPriceFirst" nil t))
    (should (search-forward "assertEquals" (line-end-position) t))
    (telltale-visit)
    (should (string-suffix-p "OrderBookTest.java" (buffer-file-name)))
    (should (looking-at-p "takesTheBestPriceFirst()"))))

(ert-deftest telltale-test-checked ()
  "Where no test was recorded it says what to do; rows lead to tests and lines."
  (telltale-test-in "src/main/java/demo/Stats.java" "int comparison"
    (should (string-match-p "record them first"
                            (cadr (should-error (telltale-checked) :type 'user-error))))
    (should
     (equal (telltale--checked-rows
             '(:tests [(:test "a.BTest#c(int)" :checks t :uri "file:///a%20b/BTest.java"
                        :range (:start (:line 4 :character 8)))
                       (:test "a.BTest#d()" :checks :json-false :uri "file:///a%20b/BTest.java"
                        :range (:start (:line 9 :character 8)))]))
            '((("/a b/BTest.java" 5 9) ["checks it" "BTest.java:5" "BTest.c"])
              (("/a b/BTest.java" 10 9) ["runs it" "BTest.java:10" "BTest.d"]))))
    (should
     (equal (telltale--checked-rows
             '(:files [(:uri "file:///a/B.java"
                        :lines [(:range (:start (:line 2 :character 4)) :checked :json-false :text "b++;")])]))
            '((("/a/B.java" 3 5) ["not checked" "B.java:3" "b++;"]))))))

(ert-deftest telltale-test-graph ()
  "The picture is written."
  (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
    (let ((file (make-temp-file "telltale-test" nil ".svg")))
      (telltale-graph file)
      (with-temp-buffer
        (insert-file-contents file)
        (should (looking-at "<svg"))
        (should (search-forward "book.open()" nil t)))
      (delete-file file))))

(defun telltale-test-lens-p (text)
  "Non-nil if a lens of lsp-mode in this buffer matches TEXT."
  (lsp-lens-refresh t)
  (accept-process-output nil 0.2)
  (seq-some (lambda (overlay)
              (string-match-p text (or (overlay-get overlay 'before-string)
                                       (overlay-get overlay 'after-string) "")))
            (overlays-in (point-min) (point-max))))

(ert-deftest telltale-test-lens ()
  "With lsp-mode lenses stand above the tests."
  (skip-unless (eq telltale-test-client 'lsp))
  (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
    (lsp-lens-mode 1)
    (should (telltale-test-until (lambda () (telltale-test-lens-p "next: book\\.open()"))))))

(ert-deftest telltale-test-record ()
  "The test around point is recorded; its lens and its assertion have the value."
  (skip-unless (not (equal "" (getenv "RECORDED"))))
  (let ((telltale-test-demo (file-name-as-directory (getenv "RECORDED"))))
    (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
      (telltale-record)
      (if (eq telltale-test-client 'lsp)
          (progn
            (lsp-lens-mode 1)
            (should (telltale-test-until
                     (lambda () (telltale-test-lens-p "next: book\\.open() = 1")) 240)))
        ;; It shows no lenses; what stands in them is asked for as a client that shows them does.
        (should (telltale-test-until
                 (lambda () (seq-some (lambda (title) (equal title "next: book.open() = 1"))
                                      (telltale-test-titles)))
                 240)))
      (telltale-assert)
      (should (telltale-test-until
               (lambda () (string-match-p "assertEquals(1, book\\.open());" (buffer-string)))))
      (set-buffer-modified-p nil))))

(defun telltale-test-titles ()
  "What lenses of this buffer say, asked for through eglot."
  (let ((server (eglot-current-server)))
    (mapcar (lambda (lens)
              (let ((lens (jsonrpc-request server :codeLens/resolve lens)))
                (plist-get (plist-get lens :command) :title)))
            (jsonrpc-request server :textDocument/codeLens
                             (list :textDocument (list :uri (telltale--uri)))))))

(ert-deftest telltale-test-hints ()
  "With eglot what a lens says stands behind the test's name, where it shows hints."
  (skip-unless (and (eq telltale-test-client 'eglot) (fboundp 'eglot-inlay-hints-mode)))
  (telltale-test-in telltale-test-book "void takesTheBestPriceFirst"
    (let ((hints (jsonrpc-request
                  (eglot-current-server) :textDocument/inlayHint
                  (list :textDocument (list :uri (telltale--uri))
                        :range '(:start (:line 0 :character 0) :end (:line 60 :character 0))))))
      (should (seq-some (lambda (hint) (string-match-p "next: book\\.open()" (format "%s" (plist-get hint :label))))
                        hints)))))

(ert-deftest telltale-test-project ()
  "The project is the nearest telltale.toml, else the outermost build file."
  (let* ((top (file-name-as-directory (make-temp-file "telltale-project" t)))
         (inner (expand-file-name "part/src/" top)))
    (make-directory inner t)
    (should-not (telltale--project inner))
    (write-region "" nil (expand-file-name "part/pom.xml" top))
    (should (equal (telltale--project inner) (cons 'transient (expand-file-name "part/" top))))
    (write-region "" nil (expand-file-name "build.gradle" top))
    (should (equal (telltale--project inner) (cons 'transient top)))
    (write-region "" nil (expand-file-name "part/telltale.toml" top))
    (should (equal (telltale--project inner) (cons 'transient (expand-file-name "part/" top))))
    (delete-directory top t)))

(ert-deftest telltale-test-cannot-start ()
  "Without a file of Java or without the server the reason is said."
  (skip-unless (eq telltale-test-client 'eglot))
  (with-temp-buffer
    (java-mode)
    (should (string-match-p "no file of Java" (cadr (should-error (telltale-eglot) :type 'user-error))))
    (setq buffer-file-name "/nowhere/A.java")
    (let ((telltale-program "/nowhere/telltale"))
      (should (string-match-p "no program /nowhere/telltale"
                              (cadr (should-error (telltale-eglot) :type 'user-error)))))
    (set-buffer-modified-p nil)
    (setq buffer-file-name nil)))

(ert-deftest telltale-test-no-server ()
  "Where no server runs, the command says what to do."
  (with-temp-buffer
    (setq buffer-file-name "/nowhere/A.java")
    (should-error (telltale-observe) :type 'user-error)
    (setq buffer-file-name nil)))

(provide 'telltale-test)
;;; telltale-test.el ends here
