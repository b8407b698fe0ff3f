#!/bin/sh
# The Emacs package: compiled, its documentation checked, and in use with eglot and with lsp-mode.
# Reads TELLTALE (the binary) and DEMO (the project); works on copies.
# In a root of its own OUTSIDE is the machine's, where Maven and a JDK are, and OUTSIDE_PATH the path there; REQUIRE says that
# what cannot be recorded is wrong, instead of skipped.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/../telltale.el" "$here/telltale-test.el" "$work"
cp -R "$DEMO" "$work/demo"
# The server runs where tests can be run.
{
    echo '#!/bin/sh'
    [ -z "${OUTSIDE:-}" ] || echo "exec chroot '$OUTSIDE' /usr/bin/env HOME='$HOME' PATH='$OUTSIDE_PATH' \"\$@\""
    echo 'exec "$@"'
} >"$work/outside"
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$work/outside" "$TELLTALE" >"$work/telltale"
chmod +x "$work/outside" "$work/telltale"
TELLTALE=$work/telltale
RECORDED=
if "$work/outside" mvn --version >/dev/null 2>&1; then
    RECORDED=$work/recorded
elif [ -n "${REQUIRE:-}" ]; then
    echo "FAILED  a test is recorded: no Maven or no JDK"
    exit 1
else
    echo "skipped: nothing can be recorded: no Maven or no JDK"
fi
HOME=$work
DEMO=$work/demo
export HOME DEMO TELLTALE RECORDED
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
    rm -rf "$work/recorded"
    mkdir "$work/recorded"
    cp -R "$DEMO/src" "$DEMO/pom.xml" "$work/recorded"
    CLIENT=$client "$emacs" -Q --batch "$@" -L "$work" -l telltale-test -f ert-run-tests-batch-and-exit </dev/null 2>&1
done
