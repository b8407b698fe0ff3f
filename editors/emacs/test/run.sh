#!/bin/sh
# The Emacs package: compiled, its documentation checked, and in use with eglot and with lsp-mode.
# Reads TELLTALE (the binary) and DEMO (the project); works on a copy.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/../telltale.el" "$here/telltale-test.el" "$work"
cp -R "$DEMO" "$work/demo"
HOME=$work
DEMO=$work/demo
export HOME DEMO
emacs=emacs
for name in emacs-nox emacs; do
    command -v "$name" >/dev/null && emacs=$name && break
done
# Debian keeps packages as sources, for several versions of Emacs.
for folder in /usr/share/emacs/site-lisp/elpa-src/*/; do
    [ -d "$folder" ] && set -- "$@" -L "$folder"
done
"$emacs" --version | head -n 1
"$emacs" -Q --batch --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile "$work/telltale.el"
said=$("$emacs" -Q --batch --eval "(checkdoc-file \"$work/telltale.el\")" 2>&1)
[ -z "$said" ] || { printf 'checkdoc:\n%s\n' "$said"; exit 1; }
echo "compiles without a warning, checkdoc is content"
for client in eglot lsp; do
    echo "with $client:"
    CLIENT=$client "$emacs" -Q --batch "$@" -L "$work" -l telltale-test -f ert-run-tests-batch-and-exit </dev/null 2>&1
done
