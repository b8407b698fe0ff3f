-- Neovim on the demo, without a screen: what a user does, and what the buffer then shows.
-- nvim --clean --headless -c 'luafile neovim.lua'; reads TELLTALE (the binary) and DEMO (a copy of the project).

local shared = dofile('../../editors/nvim/test/check.lua')
local check, wait, line_of = shared.check, shared.wait, shared.line_of

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

--- Puts the cursor on `word` in the first line that holds `text`.
local function go(text, word)
  local number = line_of(text)
  local column = lines()[number]:find(word, 1, true) - 1
  vim.api.nvim_win_set_cursor(0, { number, column })
end

--- What lenses draw into the buffer: the text by line, from 1.
local function shown()
  local out = {}
  vim.cmd('redraw!')
  for name, space in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
        -- Behind the line in 0.7, above it in 0.12.
        local chunks = mark[4].virt_text or (mark[4].virt_lines or {})[1] or {}
        local text = ''
        for _, chunk in ipairs(chunks) do
          text = text .. chunk[1]
        end
        out[mark[2] + 1] = text
      end
    end
  end
  return out
end

--- True of a lens that is resolved and says all that it will say.
local function settled(text)
  return text and text:find('%S') and not text:find('Unresolved', 1, true) and not text:find('still reading', 1, true)
end

--- How many lenses the buffer has. Neovim 0.7 leaves the text of those that are gone.
local function known()
  local fine, all = pcall(vim.lsp.codelens.get, { bufnr = 0 })
  if not fine then
    all = vim.lsp.codelens.get(0)
  end
  return #all
end

local function refresh()
  if vim.lsp.codelens.enable then
    -- 0.12 drops the titles that arrive between two answers to overlapping requests, so begin anew.
    vim.lsp.codelens.enable(false, { bufnr = 0 })
    vim.lsp.codelens.enable(true, { bufnr = 0 })
  else
    vim.lsp.codelens.refresh()
  end
end

--- Asks for lenses until they are what `done` wants, as an autocommand would.
local function lenses(done)
  for _ = 1, 50 do
    refresh()
    local fits = false
    vim.wait(300, function()
      fits = done(shown())
      return fits
    end, 20)
    if fits then
      break
    end
  end
  return shown()
end

--- What stands in the floating window that `open` opens.
local function floating(open)
  open()
  local text
  wait(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local buffer = vim.api.nvim_win_get_buf(window)
        text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
  return text or ''
end

--- What a file holds; nothing if there is none.
local function read(path)
  local file = io.open(path, 'rb')
  local all = file and file:read('*a')
  if file then
    file:close()
  end
  return all
end

--- Compiles the demo with its test and runs that: whether it passed, and what was said.
local function tested(root)
  local out = root .. '/target/inner'
  vim.fn.delete(out, 'rf')
  local all = vim.fn.glob(root .. '/src/main/java/demo/*.java', false, true)
  table.insert(all, root .. '/src/test/java/demo/StatsTest.java')
  local said = vim.fn.system(vim.list_extend({ 'javac', '-d', out, '-cp', vim.env.JUNIT }, all))
  if vim.v.shell_error ~= 0 then
    return false, 'javac: ' .. said
  end
  local run = { 'java', '-cp', out .. ':' .. vim.env.JUNIT, 'org.junit.platform.console.ConsoleLauncher', 'execute' }
  said = vim.fn.system(vim.list_extend(run, { '--select-class', 'demo.StatsTest' }))
  return vim.v.shell_error == 0, said
end

--- An inner oracle: one action over both files, compiled and run; the value filled in; listed, and removed to the byte.
local function inner_oracle(root)
  vim.opt.rtp:append('../../editors/nvim')
  local telltale = require('telltale')
  local code, test = root .. '/src/main/java/demo/Stats.java', root .. '/src/test/java/demo/StatsTest.java'
  local guard = root .. '/src/main/java/demo/InnerOracle.java'
  local was = { read(code), read(test) }
  local function stands(path, text)
    return (read(path) or ''):find(text, 1, true)
  end
  go('neg++;', 'neg')
  vim.ui.select = function(items, _, choose)
    for at, item in ipairs(items) do
      local action = item.action or item[2] or item
      if action.title:find('Check neg here in test', 1, true) then
        return choose(item, at)
      end
    end
    choose(items[1], 1)
  end
  vim.lsp.buf.code_action()
  local told = 'InnerOracle.tell('
  wait(function()
    return table.concat(lines(), '\n'):find(told, 1, true)
  end)
  vim.cmd('silent! wall')
  local both = stands(code, told) and stands(test, 'InnerOracle.on(')
  check('an action checks a value inside, in both files', both and stands(guard, 'class InnerOracle'), lines())
  if vim.env.JUNIT then
    local passed, said = tested(root)
    check('what it wrote compiles', not vim.startswith(said, 'javac'), said)
    local call = said:match('InnerOracle%.equal%b()')
    check('and the test tells the value', not passed and said:find('write instead', 1, true) and call, said)
    local function put(text)
      vim.api.nvim_buf_set_lines(0, line_of('InnerOracle.') - 1, line_of('InnerOracle.'), false, { '        ' .. text .. ';' })
      vim.cmd('silent! wall')
      return tested(root)
    end
    passed, said = put(call or '')
    check('with the value the test passes', passed, said)
    passed, said = put((call or ''):gsub(', 1, neg', ', 2, neg'))
    check('with another it fails, and says both', not passed and said:find('expected 2, but was 1', 1, true), said)
  else
    io.stdout:write('skipped: no JUnit; what the action wrote was not compiled\n')
  end

  telltale.oracles()
  wait(function()
    return #vim.fn.getloclist(0) == 2
  end)
  local sides = vim.tbl_map(function(it)
    return it.text
  end, vim.fn.getloclist(0))
  local name = 'StatsTest.morePositiveThanNegative: neg'
  check('it is listed with both sides', vim.deep_equal(sides, { name, 'switches on ' .. name }), sides)
  vim.cmd('lclose')
  vim.ui.select = function(items, _, choose)
    choose(items[1], 1)
  end
  telltale.remove()
  wait(function()
    return not table.concat(lines(), '\n'):find('InnerOracle.', 1, true) and not read(guard)
  end)
  vim.cmd('silent! wall')
  check('removed, all files are as they were', vim.deep_equal({ read(code), read(test) }, was) and not read(guard), { read(code), read(test) })
end

local function run()
  -- Newer ones resolve only what is on the screen.
  vim.o.lines = 100
  local root = vim.env.DEMO
  local start = vim.fn.has('nvim-0.11') == 1 and vim.lsp.start or vim.lsp.start_client
  vim.cmd('edit ' .. root .. '/src/test/java/demo/StatsTest.java')
  local id = start({ name = 'telltale', cmd = { vim.env.TELLTALE, 'lsp' }, root_dir = root })
  vim.lsp.buf_attach_client(0, id)
  local client = vim.lsp.get_client_by_id(id)
  wait(function()
    return client.initialized
  end)
  check('the server starts', client.initialized, client)

  local at = line_of('void longestRun')
  local found = lenses(function(it)
    return settled(it[at])
  end)
  check('a test says what to observe next', (found[at] or ''):find('next: length', 1, true), found)

  go('void longestRun', 'longestRun')
  vim.lsp.codelens.run()
  local asserted = '        assertEquals(Integer.MIN_VALUE, length);'
  wait(function()
    return vim.tbl_contains(lines(), asserted)
  end)
  check('running the lens inserts the assertion', lines()[at + 2] == asserted, lines())
  found = lenses(function(it)
    return not (it[at] or ''):find('next: length', 1, true)
  end)
  check('what is asserted is not named again', not (found[at] or ''):find('next: length', 1, true), found)
  vim.cmd('silent undo')
  check('it is undone in one step', not vim.tbl_contains(lines(), asserted), lines())

  local titles
  vim.ui.select = function(items, _, choose)
    titles = vim.tbl_map(function(item)
      local action = item.action or item[2] or item
      return action.title
    end, items)
    choose(items[1], 1)
  end
  go('int length', 'length')
  vim.lsp.buf.code_action()
  wait(function()
    return vim.tbl_contains(lines(), asserted)
  end)
  -- A single action may be offered without being asked for, or listed first.
  check('the action does the same', lines()[at + 2] == asserted, { titles, lines() })
  vim.cmd('silent undo')

  local notify = function(settings)
    local params = { settings = { telltale = settings } }
    if vim.fn.has('nvim-0.11') == 1 then
      client:notify('workspace/didChangeConfiguration', params)
    else
      client.notify('workspace/didChangeConfiguration', params)
    end
  end
  lenses(function(it)
    return settled(it[at])
  end)
  local said = known()
  notify({ lens = { tests = false } })
  lenses(function()
    return known() == 0
  end)
  check('a switch turns lenses off', known() == 0, known())
  notify({ lens = { tests = true } })
  lenses(function()
    return known() == said
  end)
  check('and on', said > 0 and known() == said, { said, known() })

  vim.cmd('edit! ' .. root .. '/src/main/java/demo/Stats.java')
  vim.lsp.buf_attach_client(0, id)
  at = line_of('int compare(')
  found = lenses(function(it)
    return settled(it[at])
  end)
  local expected = '2 tests call this · most telling: comparison'
  check('a method says who calls it', (found[at] or ''):find(expected, 1, true), found)

  go('int comparison', 'comparison')
  local hover = floating(vim.lsp.buf.hover)
  check('a hover says rank and reason', hover:find('1st of 29', 1, true) and hover:find('reveal a wrong pos', 1, true), hover)

  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
    local labels
    wait(function()
      labels = vim.tbl_map(function(it)
        return it.inlay_hint.label
      end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
      return #labels > 0
    end)
    check('hints stand behind what tells', (labels[1] or ''):find('observe (', 1, true), labels)
  else
    io.stdout:write('skipped hints: this Neovim shows none\n')
  end

  inner_oracle(root)

  if client.stop and vim.fn.has('nvim-0.11') == 1 then
    client:stop()
  else
    client.stop()
  end
  local function stopped()
    local it = vim.lsp.get_client_by_id(id)
    return it == nil or it:is_stopped()
  end
  wait(stopped)
  check('the server stops when asked', stopped(), id)
end

--- Has the next menu choose the action whose title begins with `start`.
local function choosing(start)
  vim.ui.select = function(items, _, choose)
    for at, item in ipairs(items) do
      local action = item.action or item[2] or item
      if vim.startswith(action.title, start) then
        return choose(item, at)
      end
    end
    error('no action begins with ' .. start)
  end
end

--- From a generated test that was recorded to an assertion that somebody accepts, or corrects.
local function suspects()
  local root = vim.env.SUSPECTS
  if not root then
    return io.stdout:write('skipped suspicious assertions: nothing could be recorded\n')
  end
  vim.opt.rtp:append('../../editors/nvim')
  require('telltale')
  local start = vim.fn.has('nvim-0.11') == 1 and vim.lsp.start or vim.lsp.start_client
  vim.cmd('edit! ' .. root .. '/src/test/java/algebra/Complex_ESTest.java')
  local id = start({ name = 'telltale', cmd = { vim.env.TELLTALE, 'lsp' }, root_dir = root })
  vim.lsp.buf_attach_client(0, id)
  local test = vim.api.nvim_get_current_buf()
  local marked = line_of('// The one that is wrong')
  local wrong
  for number = marked, #lines() do
    wrong = wrong or lines()[number]:find('assertFalse(boolean0)', 1, true) and number
  end
  local function doubt()
    return vim.tbl_filter(function(it)
      return it.lnum == wrong - 1 and it.message:find('(1st of 40)', 1, true)
    end, vim.diagnostic.get(test))[1]
  end
  wait(doubt)
  local it = doubt() or {}
  check('a generated assertion is doubted', vim.startswith(it.message or '', 'Worth a look first'), vim.diagnostic.get(test))

  local function back()
    vim.api.nvim_set_current_buf(test)
    vim.api.nvim_win_set_cursor(0, { wrong, lines()[wrong]:find('boolean0', 1, true) - 1 })
  end
  back()
  local hover = floating(vim.lsp.buf.hover)
  check('the hover says rank and way', hover:find('1st of 40', 1, true) and hover:find('It comes here so: ', 1, true), hover)

  require('telltale').suspects()
  wait(function()
    return vim.fn.getloclist(0, { title = 1 }).title:find('of 40 assertions', 1, true)
  end)
  local listed = vim.fn.getloclist(0, { title = 1, items = 1 })
  local first = listed.items[1] or {}
  check('those that are marked are listed', listed.title:find('^Telltale: %d+ of 40 assertions may be wrong · recorded .+$'), listed.title)
  check('with rank and score, each where it stands', first.lnum == wrong and (first.text or ''):find('^1%. assertFalse%(boolean0%) %(score 0%.%d+%)  Worth a look first'), first)
  vim.cmd('lclose')
  back()

  choosing('Show the evidence')
  vim.lsp.buf.code_action()
  local page = ''
  wait(function()
    page = table.concat(lines(), '\n')
    return vim.bo.filetype == 'markdown' and page:find('# Complex_ESTest.java:' .. wrong, 1, true)
  end)
  check('the evidence stands beside it', page:find('**-0.0**', 1, true) and page:find('conjugatesAbove', 1, true), page)
  vim.cmd('silent! close')

  back()
  local kept = root .. '/telltale-dismissed.toml'
  choosing('Accept this assertion')
  vim.lsp.buf.code_action()
  wait(function()
    return vim.fn.bufnr(kept) ~= -1 and table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr(kept), 0, -1, false)):find('dismissed', 1, true)
  end)
  vim.cmd('silent! wall')
  check('what is accepted stands in a file of the team', vim.fn.filereadable(kept) == 1, vim.fn.glob(root .. '/*'))
  local client = vim.lsp.get_client_by_id(id)
  -- Not every Neovim watches files.
  local function told(kind)
    local params = { changes = { { uri = vim.uri_from_fname(kept), type = kind } } }
    if vim.fn.has('nvim-0.11') == 1 then
      client:notify('workspace/didChangeWatchedFiles', params)
    else
      client.notify('workspace/didChangeWatchedFiles', params)
    end
  end
  told(1)
  wait(function()
    return not doubt()
  end)
  check('and is doubted no more', not doubt(), vim.diagnostic.get(test))

  os.remove(kept)
  told(3)
  wait(doubt)
  back()
  choosing('Correct it: assertTrue')
  vim.lsp.buf.code_action()
  local corrected = '        assertTrue(boolean0);'
  wait(function()
    return vim.api.nvim_buf_get_lines(test, wrong - 1, wrong, false)[1] == corrected
  end)
  check('it is corrected', lines()[wrong] == corrected, lines()[wrong])
  vim.cmd('silent undo')
  check('and that is undone in one step', lines()[wrong] == '        assertFalse(boolean0);', lines()[wrong])
end

shared.finish(function()
  run()
  suspects()
end)
