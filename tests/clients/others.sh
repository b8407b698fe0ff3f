#!/bin/bash
# Editors without a part of their own, by the configurations of their pages as they stand there.
# Reads TELLTALE (the binary), DEMO (the project), PAGES (docs/user/editors), SEEN (for screens).
set -uo pipefail
work=$(mktemp -d)
export HOME=$work TERM=xterm-256color LANG=C.UTF-8 LC_ALL=C.UTF-8 TMUX_TMPDIR=$work XDG_RUNTIME_DIR=$work SHELL=/bin/bash
export PATH=$(dirname "$TELLTALE"):$PATH
cp -R "$DEMO" "$work/demo"
cd "$work/demo" || exit 1
mkdir -p "$SEEN"
passed=0 failed=0
awk=$(command -v gawk mawk awk | head -n 1)
# Without root no alternatives are set up, and kak-lsp asks for the short name.
mkdir -p "$work/bin"
ln -s "$awk" "$work/bin/awk"
PATH=$PATH:$work/bin

# A project of two modules, whose test needs the other one.
mkdir -p "$work/modules/.git" "$work/modules/a/src/main/java/a" "$work/modules/b/src/test/java/b"
project() { echo "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>$1</artifactId><version>1</version>$2</project>"; }
project all '<packaging>pom</packaging><modules><module>a</module><module>b</module></modules>' >"$work/modules/pom.xml"
project a '' >"$work/modules/a/pom.xml"
project b '<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies>' >"$work/modules/b/pom.xml"
cat >"$work/modules/a/src/main/java/a/Sum.java" <<'JAVA'
package a;

public class Sum {
    private int sum;

    public void add(int price, int count) {
        int net = price * count;
        sum += net;
    }

    public int sum() {
        return sum;
    }
}
JAVA
cat >"$work/modules/b/src/test/java/b/SumTest.java" <<'JAVA'
package b;

import static org.junit.jupiter.api.Assertions.assertEquals;

import a.Sum;
import org.junit.jupiter.api.Test;

class SumTest {
    @Test
    void adds() {
        Sum all = new Sum();
        all.add(10, 3);
        assertEquals(1, 1);
    }
}
JAVA
module=$work/modules/b/src/test/java/b/SumTest.java

# The NUMBERth block of LANGUAGE on a page.
block() {
    "$awk" -v open='```'"$2" -v number="$3" '$0 == open { at++; on = at == number; next } /^```$/ { on = 0 } on' "$PAGES/$1"
}

screen() { tmux -L telltale capture-pane -p -t 0; }
keys() { tmux -L telltale send-keys -t 0 "$@"; }
start() { tmux -L telltale -f /dev/null new-session -d -x 140 -y 50 "$@"; }
stop() { tmux -L telltale kill-server 2>/dev/null; sleep 0.3; }

# Waits until the screen has a text.
sees() {
    local i
    for ((i = 0; i < 100; i++)); do
        if screen | grep -qF -- "$2"; then
            echo "ok      $1"
            passed=$((passed + 1))
            return 0
        fi
        sleep 0.1
    done
    echo "FAILED  $1: no «$2» in"
    screen | sed 's/^/        /'
    failed=$((failed + 1))
    return 1
}

keep() { screen >"$SEEN/$1.txt"; }

there() {
    command -v "$1" >/dev/null && return 0
    echo "SKIPPED $1: not to be had"
    return 1
}

if there hx; then
    hx --version
    mkdir -p "$HOME/.config/helix"
    block helix.md toml 1 >"$HOME/.config/helix/languages.toml"
    block helix.md toml 2 >"$HOME/.config/helix/config.toml"
    start hx src/test/java/demo/OrderBookTest.java:22
    sees 'helix: a hint says what a lens would' 'next: book.open()'
    keep helix
    keys Space a
    sees 'helix: the action is offered' 'Assert book.open()'
    keys Enter
    sees 'helix: and inserts the assertion' 'book.open());'
    # Escape and a key at once are one key with Alt.
    keys Escape
    sleep 0.5
    keys ':open src/main/java/demo/Stats.java:26' Enter
    sees 'helix: hints in production code' 'observe (1st of 29)'
    keys g h w w e Space k
    sees 'helix: a hover says rank and reason' '1st of 29 in this file'
    keep helix-hover
    stop
    cd "$work/modules" || exit 1
    start hx "$module:11"
    sees 'helix: a module knows the others' 'next: all.sum()'
    stop
    cd "$work/demo" || exit 1
fi

if there kak && there kak-lsp; then
    kak -version
    mkdir -p "$HOME/.config/kak"
    block kakoune.md kak 1 >"$HOME/.config/kak/kakrc"
    start kak src/test/java/demo/OrderBookTest.java +22
    # What was shown while the project was read is asked again after the next key.
    again() {
        for ((i = 0; i < 10; i++)); do
            screen | grep -qF "$1" && break
            keys j
            sleep 0.5
            keys k
            sleep 0.5
        done
    }
    again 'next: book.open()'
    sees 'kakoune: a test says what to observe next' 'next: book.open()'
    keep kakoune
    keys ':lsp-code-actions' Enter
    sees 'kakoune: the action is offered' 'Assert book.open()'
    keys Escape
    sleep 0.5
    keys ':edit src/main/java/demo/Stats.java 26' Enter
    sees 'kakoune: hints in production code' 'observe (1st of 29)'
    keys '/comparison' Enter ':lsp-hover' Enter
    sees 'kakoune: a hover says rank and reason' '1st of 29 in this file'
    stop
    start kak "$module" +11
    again 'next: all.sum()'
    sees 'kakoune: a module knows the others' 'next: all.sum()'
    stop
fi

if there vim.nox; then
    vim.nox --version | head -n 1
    block vim.md vim 1 >"$HOME/.vimrc"
    start vim.nox -n +26 src/main/java/demo/Stats.java
    sleep 2
    keys '/comparison' Enter
    for ((i = 0; i < 10; i++)); do
        keys ':ALEHover' Enter
        sleep 0.7
        screen | grep -q '1st of 29' && break
    done
    sees 'vim: a hover says rank and reason' '1st of 29'
    keep vim
    stop
    start vim.nox -n +24 src/test/java/demo/OrderBookTest.java
    sleep 3
    keys ':ALECodeAction' Enter
    sees 'vim: the action is offered' 'Assert book.open()'
    stop
    start vim.nox -n +11 "$module"
    sleep 3
    keys ':ALECodeAction' Enter
    sees 'vim: a module knows the others' 'Assert all.sum()'
    stop
fi

if there kate && there Xvfb; then
    mkdir -p "$HOME/.config/kate/lspclient"
    log=$work/kate.log
    block kate.md json 1 | sed "s#\"lsp\"#\"lsp\", \"--log\", \"$log\"#" >"$HOME/.config/kate/lspclient/settings.json"
    printf '[Kate Plugins]\nlspclientplugin=true\n\n[lspclient]\nAllowedServerCommandLines=%s lsp --log %s\nInlayHints=true\n' "$TELLTALE" "$log" >"$HOME/.config/katerc"
    Xvfb :79 -screen 0 1280x800x24 >/dev/null 2>&1 &
    xvfb=$!
    sleep 1
    DISPLAY=:79 QT_QPA_PLATFORM=xcb kate -n -b "$module:11" >/dev/null 2>&1 &
    kate=$!
    for ((i = 0; i < 200; i++)); do
        grep -q 'inlayHint' "$log" 2>/dev/null && break
        sleep 0.1
    done
    if grep -q 'inlayHint' "$log" 2>/dev/null; then
        echo 'ok      kate: the server is started and asked for hints'
        passed=$((passed + 1))
    else
        echo 'FAILED  kate: the server was not asked for hints'
        failed=$((failed + 1))
    fi
    sleep 2
    if grep -q 'ready: 2 of 2 files' "$log"; then
        echo 'ok      kate: both modules are read'
        passed=$((passed + 1))
    else
        echo "FAILED  kate: not both modules were read, but $(grep -o 'ready: .*' "$log" | tail -n 1)"
        failed=$((failed + 1))
    fi
    # Without root no alternatives are set up: the tool has its long name.
    camera=$(command -v import import-im7.q16 import-im6.q16 | head -n 1)
    [[ -n $camera ]] && DISPLAY=:79 "$camera" -window root "$SEEN/kate.png"
    kill $kate $xvfb 2>/dev/null
    wait 2>/dev/null
fi

cd / && rm -rf "$work"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
