;;; telltale.el --- What should this Java test look at?  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0

;; Author: The Telltale maintainers
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, tools, convenience

;;; Commentary:

;; Telltale shows which value a Java test should assert next.  This file tells
;; eglot and lsp-mode of its language server, and has commands for what they do
;; not show by themselves.
;;
;;     (require 'telltale)
;;     (telltale-setup)
;;
;; The server's program, `telltale', must be on the search path, or be named
;; by `telltale-program'.
;;
;; With lsp-mode the server runs beside that of another Java package, and
;; lenses stand above the tests.  With eglot, which runs one server a buffer
;; and shows no lenses, start it by `M-x telltale-eglot'; what a lens says
;; stands behind its parameters as a hint (eglot 1.10 and newer).
;;
;; In a test: `telltale-observe' lists what to look at, `telltale-assert'
;; inserts the best assertion, `telltale-graph' shows the substitution graph.

;;; Code:

(require 'project)
(require 'seq)
(require 'subr-x)
(require 'tabulated-list)
(require 'url-util)

(defvar eglot-server-programs)
(declare-function eglot "eglot")
(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-async-request "jsonrpc")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp-activate-on "lsp-mode")
(declare-function lsp-find-workspace "lsp-mode")
(declare-function lsp-register-client "lsp-mode")
(declare-function lsp-request "lsp-mode")
(declare-function lsp-request-async "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-workspaces "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(defvar lsp--cur-workspace)

(defgroup telltale nil
  "What a Java test should look at."
  :group 'tools
  :prefix "telltale-")

(defcustom telltale-program "telltale"
  "The server's program."
  :type 'file)

;;; The project

(defconst telltale--builds
  '("pom.xml" "build.gradle" "build.gradle.kts" "settings.gradle" "settings.gradle.kts")
  "Files that make a folder a project of Java.")

(defun telltale--project (folder)
  "The project of Java that FOLDER belongs to, as project.el has it.
That is the nearest folder with a telltale.toml, else the outermost one
with a build file."
  (let ((root (locate-dominating-file folder "telltale.toml"))
        (built (lambda (place)
                 (seq-some (lambda (name) (file-exists-p (expand-file-name name place)))
                           telltale--builds)))
        (up folder))
    (unless root
      (while (and up (setq up (locate-dominating-file up built)))
        (setq root up
              ;; Nil at the top, where a folder is above itself.
              up (let ((above (file-name-directory (directory-file-name up))))
                   (unless (equal above up) above)))))
    (and root (cons 'transient (expand-file-name root)))))

;;; The clients

(defun telltale--command ()
  "The server's command line."
  (list telltale-program "lsp"))

(defun telltale--contact (&rest _)
  "The server's command line, for eglot."
  (telltale--command))

(defun telltale--register-lsp-mode ()
  "Tell lsp-mode of the server, as an addition to others."
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection #'telltale--command)
    :activation-fn (lsp-activate-on "java")
    :server-id 'telltale
    :add-on? t)))

;;;###autoload
(defun telltale-setup ()
  "Tell eglot and lsp-mode of the server, whichever of them is used.
Eglot starts it in buffers of Java by itself only where no other server
for Java is known; see `telltale-eglot'.  Tell project.el of build files,
for projects without version control."
  (interactive)
  ;; At the end: who has a root for a folder keeps it.
  (add-hook 'project-find-functions #'telltale--project 90)
  (with-eval-after-load 'eglot
    ;; At the end of the list: who has set up another server keeps it.
    (add-to-list 'eglot-server-programs
                 '((java-mode java-ts-mode) . telltale--contact) t))
  (with-eval-after-load 'lsp-mode
    (telltale--register-lsp-mode)))

;;;###autoload
(defun telltale-eglot ()
  "Start Telltale by eglot in the project of this buffer."
  (interactive)
  (require 'eglot)
  (unless (and buffer-file-name (derived-mode-p 'java-mode 'java-ts-mode))
    (user-error "This buffer has no file of Java"))
  (unless (executable-find telltale-program t)
    (user-error "There is no program %s: see `telltale-program'" telltale-program))
  (let ((eglot-server-programs
         (cons '((java-mode java-ts-mode) . telltale--contact)
               eglot-server-programs)))
    (call-interactively #'eglot)))

;;; Asking

(defun telltale--get (object &rest keys)
  "What OBJECT, a JSON object of either client, has under KEYS, one by one."
  (dolist (key keys object)
    (setq object
          (cond ((hash-table-p object) (gethash key object))
                ((listp object) (plist-get object (intern (concat ":" key))))))))

(defun telltale--request (command argument &optional silent)
  "Have the server run COMMAND with ARGUMENT, a property list; its answer.
With SILENT the answer says nothing and is not waited for: clients that
wait leave the edit that comes with it lying until the next message."
  (let ((params (list :command command :arguments (vector argument))))
    (cond
     ((and (fboundp 'eglot-current-server) (eglot-current-server))
      (if silent
          (jsonrpc-async-request (eglot-current-server) :workspace/executeCommand
                                 params :success-fn #'ignore)
        (jsonrpc-request (eglot-current-server) :workspace/executeCommand params)))
     ((and (fboundp 'lsp-workspaces) (lsp-workspaces))
      (let ((lsp--cur-workspace
             (or (lsp-find-workspace 'telltale (buffer-file-name))
                 (user-error "Telltale does not run in this buffer"))))
        (if silent
            (lsp-request-async "workspace/executeCommand" params #'ignore)
          (lsp-request "workspace/executeCommand" params))))
     (t (user-error "No server runs here: use `telltale-eglot' or `lsp'")))))

(defun telltale--uri ()
  "The URI of this buffer's file."
  (concat "file://"
          (url-hexify-string
           (expand-file-name (or (buffer-file-name)
                                 (user-error "This buffer has no file")))
           url-path-allowed-chars)))

(defun telltale--here ()
  "What names the place of point to the server.
Clients count columns in different units; before the first character of
a line that is not blank they agree."
  (save-excursion
    (back-to-indentation)
    (list :uri (telltale--uri)
          :position (list :line (1- (line-number-at-pos nil t))
                          :character (- (point) (line-beginning-position))))))

(defun telltale--ask (command)
  "The answer of COMMAND for the place of point."
  (or (telltale--request command (telltale--here))
      (user-error "Telltale has nothing to say here: this must be a Java file of the project")))

;;; The list

(defvar-local telltale--origin nil
  "Buffer and position that the list is about.")

(defvar telltale-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'telltale-visit)
    map)
  "Keys in the list of what to observe.")

(define-derived-mode telltale-list-mode tabulated-list-mode "Telltale"
  "What to observe, best first.
\\{telltale-list-mode-map}"
  (setq tabulated-list-format
        [("" 8 nil) ("#" 3 nil :right-align t) ("Value" 28 nil)
         ("Place" 24 nil) ("Why" 0 nil)]
        tabulated-list-padding 1)
  (add-hook 'tabulated-list-revert-hook #'telltale--again nil t)
  (tabulated-list-init-header))

(defun telltale--row (kind root place)
  "A row of the list for PLACE of a list KIND; files are below ROOT."
  (let* ((candidate (telltale--get place "candidate"))
         (path (telltale--get candidate "path"))
         (line (telltale--get candidate "line"))
         (variable (telltale--get candidate "variable")))
    (list (list (expand-file-name path root) line
                (telltale--get candidate "column"))
          (vector kind
                  (number-to-string (telltale--get place "rank"))
                  (if (equal (telltale--get candidate "kind") "return")
                      (concat "return value of " variable)
                    variable)
                  (format "%s:%d" (file-name-nondirectory path) line)
                  (telltale--get place "because")))))

(defun telltale--rows (answer)
  "The rows of the list for ANSWER."
  (seq-mapcat
   (lambda (kind)
     (mapcar (lambda (place)
               (telltale--row (if (equal kind "ranking") "" kind)
                              (telltale--get answer "root") place))
             (telltale--get answer kind)))
   '("readable" "inside" "ranking")))

(defun telltale--fill (answer origin)
  "Show ANSWER in this buffer; it is about ORIGIN."
  (setq telltale--origin origin
        tabulated-list-entries (telltale--rows answer)
        header-line-format nil)
  (tabulated-list-init-header)
  (tabulated-list-print t))

(defun telltale--again ()
  "Ask again what the list is about."
  (let ((origin telltale--origin))
    (unless (buffer-live-p (car origin))
      (user-error "The buffer that this list is about is gone"))
    (telltale--fill (with-current-buffer (car origin)
                      (save-excursion
                        (goto-char (cdr origin))
                        (telltale--ask "telltale.observe")))
                    origin)))

;;;###autoload
(defun telltale-observe ()
  "List what to observe in the test around point, else in the file.
First what the test could assert, then what only a check inside the code
can see."
  (interactive)
  (let* ((origin (cons (current-buffer) (copy-marker (point))))
         (answer (telltale--ask "telltale.observe"))
         (buffer (get-buffer-create "*Telltale*")))
    (with-current-buffer buffer
      (telltale-list-mode)
      (telltale--fill answer origin))
    (pop-to-buffer buffer)))

(defun telltale-visit ()
  "Go to the place of the row at point."
  (interactive)
  (pcase (tabulated-list-get-id)
    (`(,file ,line ,column)
     (find-file-other-window file)
     (goto-char (point-min))
     (forward-line (1- line))
     (forward-char (min (1- column) (- (line-end-position) (point)))))
    (_ (user-error "No value in this line"))))

(defun telltale--list (buffer mode rows said)
  "Show ROWS in BUFFER by MODE, with what is SAID; without rows say that alone."
  (unless rows
    (user-error "%s" said))
  (with-current-buffer (get-buffer-create buffer)
    (funcall mode)
    (setq tabulated-list-entries rows)
    (tabulated-list-print)
    (pop-to-buffer (current-buffer)))
  (message "%s" said))

;;; The weakest tests

(define-derived-mode telltale-weakest-mode tabulated-list-mode "Telltale weakest"
  "Where one assertion more would gain most.
\\{telltale-weakest-mode-map}"
  (setq tabulated-list-format
        [("#" 3 nil :right-align t) ("Gain" 6 nil :right-align t) ("Test" 40 nil)
         ("Assertion" 48 nil) ("Why" 0 nil)]
        tabulated-list-padding 1)
  (tabulated-list-init-header))

(define-key telltale-weakest-mode-map (kbd "RET") #'telltale-visit)

(defun telltale--short (name)
  "Class.method for NAME, which is pkg.Class#method()."
  (replace-regexp-in-string
   "#" "." (replace-regexp-in-string "\\`[^#]*\\.\\|(.*" "" name)))

(defun telltale--weak (root it)
  "A row for the test IT, whose file is below ROOT."
  (let ((name (telltale--get it "test")))
    (list (list (expand-file-name (telltale--get it "path") root)
                (telltale--get it "line")
                (telltale--get it "column"))
          (vector (number-to-string (telltale--get it "rank"))
                  (format "%.2f" (telltale--get it "gain"))
                  (telltale--short name)
                  (replace-regexp-in-string "[ \t]*\n[ \t]*" " "
                                            (telltale--get it "assertion" "text"))
                  (telltale--get it "value" "because")))))

;;;###autoload
(defun telltale-weakest ()
  "List where in the project one assertion more would gain most.
Each row is a test, with that assertion; RET goes there."
  (interactive)
  (let* ((answer (or (telltale--request "telltale.weakest" (list :uri (telltale--uri)))
                     (user-error "Telltale has not read this project, or this is no Java file of it")))
         (root (telltale--get answer "root"))
         (rows (mapcar (lambda (it) (telltale--weak root it))
                       (telltale--get answer "tests"))))
    (unless rows
      (user-error "%d tests looked at: none has a value that is sure to be worth an assertion"
                  (telltale--get answer "counts" "tests")))
    (let ((buffer (get-buffer-create "*Telltale weakest*")))
      (with-current-buffer buffer
        (telltale-weakest-mode)
        (setq tabulated-list-entries rows)
        (tabulated-list-print))
      (pop-to-buffer buffer))))

;;; Which tests check a line

(define-derived-mode telltale-checked-mode tabulated-list-mode "Telltale checked"
  "The tests of a line, those that check it first; or the lines of a test.
\\{telltale-checked-mode-map}"
  (setq tabulated-list-format
        [("" 11 nil) ("Place" 24 nil) ("" 0 nil)]
        tabulated-list-padding 1)
  (tabulated-list-init-header))

(define-key telltale-checked-mode-map (kbd "RET") #'telltale-visit)

(defun telltale--checked-row (uri it said text)
  "A row that leads to the range of IT in the file of URI: what is SAID of TEXT."
  (let ((file (decode-coding-string
               (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8))
        (line (1+ (telltale--get it "range" "start" "line"))))
    (list (list file line (1+ (telltale--get it "range" "start" "character")))
          (vector said (format "%s:%d" (file-name-nondirectory file) line) text))))

(defun telltale--is (value)
  "Whether VALUE is true in the JSON of either client."
  (and value (not (eq value :json-false))))

(defun telltale--checked-rows (answer)
  "The rows for ANSWER, which is about a line or about a test."
  (append
   (mapcar (lambda (it)
             (telltale--checked-row
              (telltale--get it "uri") it
              (if (telltale--is (telltale--get it "checks")) "checks it" "runs it")
              (telltale--short (telltale--get it "test"))))
           (telltale--get answer "tests"))
   (seq-mapcat
    (lambda (file)
      (mapcar (lambda (it)
                (telltale--checked-row
                 (telltale--get file "uri") it
                 (if (telltale--is (telltale--get it "checked")) "checked" "not checked")
                 (telltale--get it "text")))
              (telltale--get file "lines")))
    (telltale--get answer "files"))))

;;;###autoload
(defun telltale-checked ()
  "List by whom the line at point is run and checked.
Those tests come first that check it.  On the line of a method's name,
they are those of the method.  In a test, list the lines that it runs,
checked or not.  RET goes to the row at point."
  (interactive)
  (let* ((answer (telltale--ask "telltale.checked"))
         (said (telltale--get answer "said"))
         (rows (telltale--checked-rows answer)))
    (telltale--list "*Telltale checked*" #'telltale-checked-mode rows said)))

;;; What a lens does

;;;###autoload
(defun telltale-assert ()
  "Insert the best assertion into the test around point."
  (interactive)
  (let ((scope (telltale--get (telltale--ask "telltale.observe") "scope")))
    (unless (equal (telltale--get scope "kind") "test")
      (user-error "Point is in no test"))
    (telltale--request "telltale.assert"
                       (list :uri (telltale--uri)
                             :name (telltale--get scope "name"))
                       t)))

;;;###autoload
(defun telltale-record (&optional all)
  "Run the test around point and keep what its values were.
In no test, those of the file.  With a prefix argument ALL, all tests of
the project.  Values then stand in what lenses, assertions and hovers say."
  (interactive "P")
  (save-some-buffers)
  (telltale--request "telltale.record"
                     (if all (list :uri (telltale--uri) :scope "folder") (telltale--here))
                     t))

;;;###autoload
(defun telltale-mutants (&optional from to)
  "Look for what no test notices in the method around point.
With an active region FROM to TO, in its lines.  What survives a small
change of the code is marked there, with a fix that would have told."
  (interactive (and (use-region-p) (list (region-beginning) (region-end))))
  (save-some-buffers)
  (telltale--request "telltale.mutants"
                     (if from
                         (list :uri (telltale--uri)
                               :range (list :start (list :line (1- (line-number-at-pos from t)) :character 0)
                                            :end (list :line (line-number-at-pos to t) :character 0)))
                       (telltale--here))
                     t))

;;;###autoload
(defun telltale-graph (&optional file)
  "Show the substitution graph of the test around point, as a picture.
With a prefix argument, ask for a FILE to write it to."
  (interactive (list (and current-prefix-arg
                          (read-file-name "Write the picture to: "))))
  (let ((svg (telltale--get (telltale--ask "telltale.graph") "svg"))
        (place (or file (make-temp-file "telltale-" nil ".svg"))))
    (with-temp-file place
      (set-buffer-file-coding-system 'utf-8)
      (insert svg))
    (cond (file (message "The picture is in %s" place))
          ((and (display-graphic-p) (image-type-available-p 'svg))
           (find-file-other-window place))
          ((or (display-graphic-p) (getenv "DISPLAY") (getenv "WAYLAND_DISPLAY")
               (memq system-type '(darwin windows-nt)))
           (browse-url-of-file place))
          (t (message "The picture is in %s" place)))))

;;;###autoload
(defun telltale-evidence ()
  "Show the evidence against the generated assertion at point.
What hand-written tests saw and what this test saw, sample by sample."
  (interactive)
  (let ((answer (telltale--ask "telltale.evidence"))
        (buffer (get-buffer-create "*Telltale evidence*")))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (telltale--get answer "markdown")))
      (goto-char (point-min))
      (view-mode 1))
    (pop-to-buffer buffer)))

;;; Generated assertions

(define-derived-mode telltale-suspects-mode tabulated-list-mode "Telltale suspects"
  "Generated assertions that have a rank, the marked ones first.
\\{telltale-suspects-mode-map}"
  (setq tabulated-list-format
        [("#" 3 nil :right-align t) ("Score" 6 nil) ("Line" 5 nil :right-align t)
         ("Assertion" 36 nil) ("Why" 0 nil)]
        tabulated-list-padding 1)
  (tabulated-list-init-header))

(define-key telltale-suspects-mode-map (kbd "RET") #'telltale-visit)

(defun telltale--suspect (file it)
  "A row for the assertion IT of FILE."
  (let ((line (1+ (telltale--get it "range" "start" "line"))))
    (list (list file line (1+ (telltale--get it "range" "start" "character")))
          (vector (number-to-string (telltale--get it "rank"))
                  (format "%.3f" (telltale--get it "score"))
                  (number-to-string line)
                  (telltale--get it "text")
                  (telltale--get it "message")))))

;;;###autoload
(defun telltale-suspects ()
  "List the generated assertions of this file that may be wrong.
Those that are marked come first, behind them those that only have a
rank, each the most suspicious first.  RET goes to the one at point."
  (interactive)
  (let* ((file (buffer-file-name))
         (answer (telltale--ask "telltale.suspects"))
         (said (telltale--get answer "said"))
         (rows (mapcar (lambda (it) (telltale--suspect file it))
                       (telltale--get answer "assertions"))))
    (telltale--list "*Telltale suspects*" #'telltale-suspects-mode rows said)))

;;;###autoload
(defun telltale-review ()
  "Have this class count as a generated one from now on.
That is written into the project's telltale.toml."
  (interactive)
  (telltale--request "telltale.review" (list :uri (telltale--uri)) t))

;;;###autoload
(defun telltale-reindex ()
  "Have the server read the project again."
  (interactive)
  (telltale--request "telltale.reindex" (list :uri (telltale--uri)) t)
  (message "Telltale reads the project again"))

(provide 'telltale)
;;; telltale.el ends here
