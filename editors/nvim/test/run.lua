-- The plugin in Neovim, without a screen. Reads TELLTALE (the binary) and DEMO (the project).
local shared = dofile('test/check.lua')
local check, wait, line_of = shared.check, shared.wait, shared.line_of

--- What lenses draw into the buffer, in one text.
local function lenses()
  local out = {}
  vim.cmd('redraw!')
  for name, space in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
        for _, chunk in ipairs(mark[4].virt_text or (mark[4].virt_lines or {})[1] or {}) do
          out[#out + 1] = chunk[1]
        end
      end
    end
  end
  return table.concat(out, '\n')
end

--- Waits until the server of this buffer has read the project.
local function wait_until_ready(telltale)
  wait(function()
    local client = telltale.client(0)
    return client and telltale.told[client.id] and telltale.told[client.id].state == 'ready'
  end)
end

--- Records the test under the cursor, in a copy of the project: what a run leaves behind is not there for what else is checked.
local function record(telltale, demo)
  vim.fn.system('mvn --version')
  if vim.v.shell_error ~= 0 then
    local why = 'nothing can be recorded: no Maven or no JDK'
    if vim.env.REQUIRE then
      check('a test is recorded', false, why)
    else
      io.stdout:write('skipped: ' .. why .. '\n')
    end
    return
  end
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  vim.fn.system({ 'cp', '-R', demo .. '/src', demo .. '/pom.xml', folder })
  local said = {}
  vim.lsp.handlers['window/showMessage'] = function(_, params)
    said[#said + 1] = params.message
  end
  vim.cmd('edit ' .. folder .. '/src/test/java/demo/OrderBookTest.java')
  wait_until_ready(telltale)
  vim.api.nvim_win_set_cursor(0, { line_of('void takesTheBestPriceFirst'), 8 })
  local function lens(text)
    return function()
      vim.cmd('silent! doautocmd <nomodeline> CursorHold')
      vim.wait(100)
      return lenses():find(text, 1, true)
    end
  end
  wait(lens('next: book.open()'))
  check('of a test that was not recorded no value is shown', not lenses():find('book.open() =', 1, true), lenses())
  vim.cmd('Telltale record')
  wait(function()
    return #said > 0
  end, 240)
  check('the test under the cursor is recorded', (said[1] or ''):find('^Telltale recorded %d+ values of 1 test$'), said)
  wait(lens('next: book.open() = 1'))
  check('and its lens has the value', lenses():find('next: book.open() = 1', 1, true), lenses())
end

local function run()
  vim.o.lines = 100
  vim.o.updatetime = 100
  local new = vim.fn.has('nvim-0.11') == 1
  local telltale = require('telltale')
  local root = vim.env.DEMO
  vim.g.telltale_program = vim.env.TELLTALE
  local messages = {}
  vim.notify = function(text)
    messages[#messages + 1] = text
  end

  check('the root is the folder of the build file', telltale.root(root .. '/src/main/java/demo/Stats.java') == root,
    telltale.root(root .. '/src/main/java/demo/Stats.java'))

  local home = vim.loop.os_homedir()
  check('nothing reads a whole home folder for one file', telltale.root(home .. '/A.java') == nil, telltale.root(home .. '/A.java'))
  check('a folder of its own is a project', telltale.root('/nowhere/at/all/A.java') == '/nowhere/at/all', telltale.root('/nowhere/at/all/A.java'))

  -- As the help file has it.
  vim.cmd('filetype on')
  if new then
    vim.lsp.enable('telltale')
  else
    vim.api.nvim_create_autocmd('FileType', {
      pattern = 'java',
      callback = function()
        telltale.start()
      end,
    })
  end
  vim.g.telltale_program = '/nowhere/telltale'
  vim.cmd('edit ' .. root .. '/src/main/java/demo/Order.java')
  vim.cmd('edit ' .. root .. '/src/main/java/demo/OrderBook.java')
  wait(function()
    return #messages > 0
  end)
  check('a server that is missing is told of once', #messages == 1 and messages[1]:find('/nowhere/telltale', 1, true), messages)
  vim.g.telltale_program = vim.env.TELLTALE
  if new then
    -- What was enabled keeps the command that it began with.
    vim.lsp.config('telltale', telltale.config())
  end

  vim.cmd('edit ' .. root .. '/src/test/java/demo/OrderBookTest.java')
  wait_until_ready(telltale)
  local client = telltale.client(0)
  check('the server starts with a Java file and is ready', client and telltale.status() == 'telltale', telltale.status())
  if not client then
    return
  end
  check('it serves the whole project', (client.config.root_dir or client.root_dir) == root, client.config.root_dir)

  vim.api.nvim_win_set_cursor(0, { line_of('void takesTheBestPriceFirst'), 8 })
  wait(function()
    -- No key is pressed here, so nothing fires by itself.
    vim.cmd('silent! doautocmd <nomodeline> CursorHold')
    vim.wait(100)
    return lenses():find('next: book.open()', 1, true) and not lenses():find('still reading', 1, true)
  end)
  check('lenses are shown without being asked for', lenses():find('next: book.open()', 1, true), lenses())

  vim.cmd('Telltale observe')
  wait(function()
    return #vim.fn.getloclist(0) > 0
  end)
  local places = vim.fn.getloclist(0)
  local title = vim.fn.getloclist(0, { title = 1 }).title
  check('the list is about the test under the cursor', title == 'Telltale: what to observe in OrderBookTest.takesTheBestPriceFirst', title)
  check('it begins with what could be asserted', (places[1] or {}).text and places[1].text:find('^readable 1%. book%.open%(%)'), places[1])
  local inside = vim.tbl_filter(function(place)
    return place.text:find('^inside 1%.')
  end, places)
  check('and has what is inside, in its file', #inside == 1 and vim.fn.bufname(inside[1].bufnr):find('src/main/java', 1, true), inside)
  vim.cmd('lclose')

  local file = vim.fn.tempname() .. '.svg'
  vim.cmd('Telltale graph ' .. file)
  wait(function()
    return vim.fn.filereadable(file) == 1
  end)
  local svg = vim.fn.filereadable(file) == 1 and table.concat(vim.fn.readfile(file), '\n') or ''
  check('the picture is written', svg:find('^<svg') and svg:find('book.open()', 1, true), svg:sub(1, 80))
  check('and said to be', vim.tbl_contains(messages, 'Telltale: the picture is in ' .. file), messages)

  vim.cmd('Telltale nonsense')
  check('a command that is none is refused', (messages[#messages] or ''):find('not nonsense', 1, true), messages)
  check('commands complete', vim.deep_equal(vim.fn.getcompletion('Telltale ', 'cmdline'), { 'observe', 'weakest', 'checked', 'graph', 'evidence', 'suspects', 'review', 'check', 'oracles', 'remove', 'record', 'mutants', 'reindex' }),
    vim.fn.getcompletion('Telltale ', 'cmdline'))

  vim.cmd('Telltale weakest')
  wait(function()
    return #vim.fn.getqflist() > 0
  end)
  local weakest = vim.tbl_filter(function(it)
    return it.text:find('OrderBookTest.takesTheBestPriceFirst', 1, true)
  end, vim.fn.getqflist())
  vim.cmd('cclose')
  check('the weakest tests are listed, each with its assertion', #weakest == 1 and weakest[1].text:find('assertEquals', 1, true)
    and weakest[1].lnum == line_of('void takesTheBestPriceFirst'), vim.fn.getqflist())

  vim.cmd('Telltale suspects')
  wait(function()
    return (messages[#messages] or ''):find('generated', 1, true)
  end)
  check('of tests that somebody wrote no assertion is listed', messages[#messages] == 'Telltale: No test of this file counts as generated', messages)

  vim.cmd('edit ' .. root .. '/src/main/java/demo/Stats.java')
  wait(function()
    return telltale.client(0)
  end)
  check('a second file joins the same server', telltale.client(0) and telltale.client(0).id == client.id)

  -- Which tests check a line: the demo has no recording, so what the server would say of one is made up behind what it does say.
  local line = line_of('int comparison')
  vim.api.nvim_win_set_cursor(0, { line, 8 })
  vim.cmd('Telltale checked')
  wait(function()
    return (messages[#messages] or ''):find('record them first', 1, true)
  end)
  check('where no test was recorded it says what to do', messages[#messages]:find('Telltale: Nobody knows yet which lines tests run: record them first', 1, true) == 1, messages)
  local own = telltale.client(0)
  local request = own.request
  local function answered(answer, run)
    local asked
    own.request = function(first, ...)
      local rest = { ... }
      if type(first) ~= 'table' then
        table.insert(rest, 1, first)
      end
      asked = rest[2]
      rest[3](nil, answer)
      return true, 0
    end
    vim.fn.setloclist(0, {}, 'r')
    run()
    own.request = request
    vim.cmd('lclose')
    return vim.fn.getloclist(0), vim.fn.getloclist(0, { title = 1 }).title, asked
  end
  local function range(row, from, to)
    return { start = { line = row - 1, character = from }, ['end'] = { line = row - 1, character = to } }
  end
  local test = vim.uri_from_fname(root .. '/src/test/java/demo/StatsTest.java')
  local listed, said, sent = answered({
    said = 'Run by 2 tests, checked by 1',
    tests = {
      { test = 'demo.StatsTest#b()', checks = true, uri = test, range = range(30, 0, 0) },
      { test = 'demo.StatsTest#a()', checks = false, uri = test, range = range(20, 0, 0) },
    },
  }, function()
    vim.cmd('Telltale checked')
  end)
  check('it asks of the line under the cursor', sent.command == 'telltale.checked' and sent.arguments[1].position.line == line - 1, sent)
  check('its tests are listed, those that check it first', said == 'Telltale: Run by 2 tests, checked by 1' and #listed == 2
    and listed[1].text == 'checks it  StatsTest.b' and listed[1].lnum == 30 and listed[2].text == 'runs it  StatsTest.a' and listed[2].lnum == 20
    and vim.fn.bufname(listed[1].bufnr):find('StatsTest.java', 1, true), { said, listed })
  listed, said, sent = answered({
    said = 'StatsTest.a runs 2 lines and checks 1',
    test = 'demo.StatsTest#a()',
    files = { { uri = vim.uri_from_bufnr(0), path = 'src/main/java/demo/Stats.java', run = 2, checked = 1, lines = {
      { range = range(10, 0, 0), checked = true, text = 'int a = 1;' },
      { range = range(12, 0, 0), checked = false, text = 'b++;' },
    } } },
  }, function()
    vim.lsp.commands['telltale.checked']({ arguments = { { uri = test, name = 'demo.StatsTest#a()', show = true } } })
  end)
  check('and the lines of a test', #listed == 2 and listed[1].text == 'checked  int a = 1;' and listed[2].text == 'not checked  b++;' and listed[2].lnum == 12, { said, listed })
  check('a lens lists them, without a message', sent.arguments[1].name == 'demo.StatsTest#a()' and sent.arguments[1].show == nil, sent)

  -- How a value is checked is chosen; what comes of it is looked at, for the demo is nobody's to change.
  local asked, edit = {}, nil
  local answers = {}
  vim.ui.select = function(items, options, choose)
    asked[#asked + 1] = options.prompt
    for at, item in ipairs(items) do
      local words = options.format_item and options.format_item(item) or tostring(item)
      if words:find(answers[1], 1, true) then
        table.remove(answers, 1)
        return choose(item, at)
      end
    end
    error(('%s: nothing has %s'):format(options.prompt, answers[1]))
  end
  vim.ui.input = function(options, done)
    asked[#asked + 1] = options.prompt .. options.default
    done(table.remove(answers, 1))
  end
  vim.lsp.handlers['workspace/applyEdit'] = function(_, params)
    edit = vim.json and vim.json.encode(params.edit) or vim.fn.json_encode(params.edit)
    edit = edit:gsub('\\\\?"', '"')
    return { applied = true }
  end
  local function chosen(line, word, ...)
    local row = line_of(line)
    vim.api.nvim_win_set_cursor(0, { row, vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1]:find(word, 1, true) - 1 })
    asked, edit, answers = {}, nil, { ... }
    return function(run)
      run()
      wait(function()
        return edit
      end)
      return edit or ''
    end
  end
  local function check_value()
    vim.cmd('Telltale check')
  end
  local written = chosen('int comparison', 'comparison', 'A condition', 'comparison > -2', 'sameNumberOfBoth')(check_value)
  check('a condition is chosen, and a test', written:find('comparison > -2, comparison', 1, true) and written:find('"StatsTest.sameNumberOfBoth: comparison"', 1, true), written)
  check('what is likely is proposed', asked[2] == 'What holds of comparison? comparison >= 0', asked)
  written = chosen('int number', 'number', 'What number is', 'Another time', '3', 'meanOfNothing')(check_value)
  check('so are one of the times, and a test that nobody knew of', written:find('meanOfNothing: number").turn(3)', 1, true), written)
  written = chosen('int comparison', 'comparison', 'does not run', 'morePositiveThanNegative')(check_value)
  check('and that the place does not run', written:find('InnerOracle.never("', 1, true) and #asked == 2, { asked, written })
  written = chosen('int comparison', 'comparison', 'choose how, and in which test', 'this place runs', 'sameNumberOfBoth')(function()
    local picking = vim.ui.select
    vim.ui.select = function(items, options, choose)
      options.format_item = options.format_item or function(item)
        return (item.action or item[2] or item).title
      end
      picking(items, options, choose)
    end
    vim.lsp.buf.code_action()
  end)
  check('the light bulb leads there too', written:find('InnerOracle.ran("', 1, true), { asked, written })
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  local before = #messages
  vim.cmd('Telltale check')
  wait(function()
    return #messages > before
  end)
  check('where there is no value it says so', (messages[#messages] or ''):find('put the cursor on a variable', 1, true), messages)
  vim.cmd('Telltale oracles')
  wait(function()
    return messages[#messages]:find('there are no', 1, true)
  end)
  check('and where there are no oracles', messages[#messages] == 'Telltale: there are no inner oracles; :Telltale check makes one', messages)

  if vim.lsp.inlay_hint then
    wait(function()
      return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
    end)
    check('hints are shown', #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0)
  else
    io.stdout:write('skipped hints: this Neovim shows none\n')
  end

  vim.cmd('checkhealth telltale')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  check('the health check finds all', health:find('runs for ' .. root .. ': ready, 22 of 22 files', 1, true) and not health:find('ERROR', 1, true), health)
  vim.cmd('bdelete')

  vim.cmd('enew | setfiletype kotlin')
  vim.cmd('Telltale observe')
  check('where there is no Java it says so', messages[#messages] == 'Telltale: this buffer holds no Java', messages)

  -- As if it had crashed.
  vim.cmd('edit ' .. root .. '/src/test/java/demo/OrderBookTest.java')
  wait(function()
    return lenses():find('next:', 1, true)
  end)
  -- Neovim 0.7 raises an error of its own where a server goes during a request.
  vim.wait(300)
  if new then
    client:stop(true)
  else
    client.stop(true)
  end
  wait(function()
    return not telltale.client(0) and not lenses():find('next:', 1, true)
  end)
  check('a server that has ended leaves no lens', not lenses():find('next:', 1, true), lenses())
  vim.cmd('Telltale observe')
  check('and a command says what to do', messages[#messages]:find(':edit starts one', 1, true), messages)
  vim.cmd('edit')
  wait(function()
    return telltale.client(0)
  end)
  check('which starts it again', telltale.client(0) and telltale.client(0).id ~= client.id)

  record(telltale, root)

  vim.cmd('helptags ' .. vim.fn.fnamemodify(vim.fn.findfile('doc/telltale.txt', vim.o.runtimepath), ':p:h'))
  local helped, problem = pcall(vim.cmd, 'help :Telltale-observe')
  check('there is help', helped, problem)
end

shared.finish(run)
