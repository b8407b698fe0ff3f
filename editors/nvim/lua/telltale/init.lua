--- Telltale in Neovim: the client's configuration, the commands, and lenses that follow the text.
local M = {}

local oracles = require('telltale.oracles')

local builds = { 'pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts' }

--- What the server said last, by client: `{ state, message, indexed, total }`.
M.told = {}

local function say(text, level)
  vim.notify('Telltale: ' .. text, level or vim.log.levels.INFO)
end

--- Shows what an answer lists, or where that is nothing what it says.
local function show(said, items)
  if #items == 0 then
    return say(said)
  end
  vim.fn.setloclist(0, {}, ' ', { title = 'Telltale: ' .. said, items = items })
  vim.cmd('lopen')
end

--- True of folders that hold far more than a project.
local function wide(folder)
  local uv = vim.uv or vim.loop
  for _, place in ipairs({ uv.os_homedir() or '/', uv.os_tmpdir() or '/' }) do
    if vim.startswith(place:gsub('/*$', '/'), (folder:gsub('/*$', '/'))) then
      return true
    end
  end
  return false
end

local function holds(folder, names)
  for _, name in ipairs(names) do
    if vim.fn.filereadable(folder .. '/' .. name) == 1 then
      return true
    end
  end
  return false
end

--- The folder of the project that a file belongs to, as the command line finds it: the nearest one with `telltale.toml`,
--- else the outermost one with a build file, else the one with `.git`, else that of the file. Nil if that would be the
--- home folder, the one for temporary files or one above: the file is served alone then.
function M.root(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local build, git
  local up = folder
  while true do
    if holds(up, { 'telltale.toml' }) then
      return up
    end
    if holds(up, builds) then
      build = up
    end
    if not git and (vim.fn.isdirectory(up .. '/.git') == 1 or holds(up, { '.git' })) then
      git = up
    end
    local parent = vim.fn.fnamemodify(up, ':h')
    if parent == up then
      return build or git or (not wide(folder) and folder or nil)
    end
    up = parent
  end
end

local told_missing = false

--- True if the server's program is there; says once if it is not.
function M.there()
  local program = M.program()
  if vim.fn.executable(program) == 1 then
    return true
  end
  if not told_missing then
    told_missing = true
    say(program .. ' is not to be found; :checkhealth telltale says what to do', vim.log.levels.WARN)
  end
  return false
end

--- Takes away what a server that has ended left behind. Neovim 0.12 does so itself.
local function gone(id)
  M.told[id] = nil
  if vim.lsp.codelens.enable then
    return
  end
  for name, space in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens:' .. id .. '$') then
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
      end
    end
  end
end

--- The server's program, as `vim.g.telltale_program` names it.
function M.program()
  return vim.g.telltale_program or 'telltale'
end

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.experimental = { telltaleStatus = true, telltaleChoices = true }
  return all
end

--- What `vim.lsp.config` and `vim.lsp.start` take.
function M.config()
  local config = {
    name = 'telltale',
    cmd = { M.program(), 'lsp' },
    filetypes = { 'java' },
    capabilities = capabilities(),
    settings = { telltale = vim.g.telltale_settings or vim.empty_dict() },
    handlers = {
      ['telltale/status'] = function(_, told, context)
        M.told[context.client_id] = told
        vim.cmd('silent! doautocmd <nomodeline> User TelltaleStatus')
      end,
    },
    on_attach = function(_, buffer)
      M.attach(buffer)
    end,
    on_exit = vim.schedule_wrap(function(_, _, id)
      gone(id)
    end),
  }
  if vim.fn.has('nvim-0.11') == 1 then
    config.root_dir = function(buffer, found)
      if M.there() then
        found(M.root(vim.api.nvim_buf_get_name(buffer)))
      end
    end
  end
  return config
end

--- Neovim 0.7 to 0.10: starts the server for the current buffer, or joins the one of its project.
function M.start()
  if not M.there() then
    return
  end
  local config = M.config()
  config.root_dir = M.root(vim.api.nvim_buf_get_name(0))
  if vim.lsp.start then
    return vim.lsp.start(config)
  end
  for _, client in ipairs(vim.lsp.get_active_clients()) do
    if client.name == 'telltale' and client.config.root_dir == config.root_dir then
      vim.lsp.buf_attach_client(0, client.id)
      return client.id
    end
  end
  local id = vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, id)
  return id
end

--- The client of a buffer, or nil.
function M.client(buffer)
  local clients
  if vim.lsp.get_clients then
    clients = vim.lsp.get_clients({ bufnr = buffer, name = 'telltale' })
  else
    clients = vim.lsp.buf_get_clients(buffer)
  end
  for _, client in pairs(clients) do
    if client.name == 'telltale' then
      return client
    end
  end
end

--- Lenses and hints of a buffer, unless `vim.g.telltale_lenses` or `vim.g.telltale_hints` is false.
function M.attach(buffer)
  if vim.g.telltale_hints ~= false and vim.lsp.inlay_hint then
    if vim.fn.has('nvim-0.10') == 1 then
      vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    end
  end
  if vim.g.telltale_lenses == false then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  local group = vim.api.nvim_create_augroup('telltale', { clear = false })
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'CursorHold', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    desc = 'Telltale: lenses follow the text',
    callback = function()
      M.refresh(buffer)
    end,
  })
  -- What the server knew before it had read the project is old then. One for all buffers.
  vim.api.nvim_create_autocmd('User', {
    group = vim.api.nvim_create_augroup('telltale_status', { clear = true }),
    pattern = 'TelltaleStatus',
    desc = 'Telltale: lenses of the whole project',
    callback = function()
      local current = vim.api.nvim_get_current_buf()
      if M.client(current) then
        M.refresh(current)
      end
    end,
  })
  M.refresh(buffer)
end

function M.refresh(buffer)
  if vim.lsp.codelens.enable then
    return
  end
  vim.lsp.codelens.refresh(vim.fn.has('nvim-0.10') == 1 and { bufnr = buffer } or nil)
end

--- Has the server run a command; `target`, if there is one, makes its argument. `done` gets the answer.
local function execute(command, target, done)
  local client = M.client(0)
  if not client then
    local why = vim.bo.filetype == 'java' and 'no server runs for this buffer: :edit starts one, or :checkhealth telltale says why not'
      or 'this buffer holds no Java'
    return say(why, vim.log.levels.WARN)
  end
  local function answered(problem, answer)
    if problem then
      say(problem.message or tostring(problem), vim.log.levels.ERROR)
    else
      done(answer)
    end
  end
  local params = { command = command, arguments = target and { target(client) } }
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, answered, 0)
  else
    client.request('workspace/executeCommand', params, answered, 0)
  end
end

--- Asks the server about the test under the cursor, or about what `target` names; `done` gets the answer. Where there is
--- none, `without` is said.
local function ask(command, target, done, more, without)
  execute(command, function(client)
    local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
    local place = { uri = at.textDocument.uri, position = not more and at.position or nil }
    return target or vim.tbl_extend('error', place, more or {})
  end, function(answer)
    if answer == nil or answer == vim.NIL then
      say(without or 'nothing to say about this place: it must be a Java file of the project')
    else
      done(answer)
    end
  end)
end

--- `Class.method` of `pkg.Class#method()`.
local function short(name)
  local type, member = name:match('^(.-)#(.*)$')
  return member and (type:match('[^.]*$') .. '.' .. member:gsub('%(.*', '')) or name
end

--- Puts the answer of `telltale.observe` into the location list.
local function list(answer)
  local items = {}
  for _, kind in ipairs({ 'readable', 'inside', 'ranking' }) do
    for _, place in ipairs(answer[kind] or {}) do
      local it = place.candidate
      local named = it.kind == 'return' and 'return value of ' .. it.variable or it.variable
      local words = kind == 'ranking' and '' or kind .. ' '
      items[#items + 1] = {
        filename = answer.root .. '/' .. it.path,
        lnum = it.line,
        col = it.column,
        text = ('%s%d. %s  %s'):format(words, place.rank, named, place.because),
      }
    end
  end
  if #items == 0 then
    return say('nothing more to observe in ' .. short(answer.scope.name))
  end
  vim.fn.setloclist(0, {}, ' ', { title = 'Telltale: what to observe in ' .. short(answer.scope.name), items = items })
  vim.cmd('lopen')
end

--- The list of what to observe; of the test under the cursor if nothing else is named.
function M.observe(target)
  ask('telltale.observe', target, list)
end

--- Puts the tests of the project that would gain most by one assertion into the quickfix list, each with that assertion.
function M.weakest()
  ask('telltale.weakest', nil, function(answer)
    local items = {}
    for _, it in ipairs(answer.tests) do
      local text = it.assertion.text:gsub('%s*\n%s*', ' ')
      items[#items + 1] = {
        filename = answer.root .. '/' .. it.path,
        lnum = it.line,
        col = it.column,
        text = ('%d. %s  %s  %s'):format(it.rank, short(it.test), text, it.value.because),
      }
    end
    if #items == 0 then
      return say(('%d tests looked at: none has a value that is sure to be worth an assertion'):format(answer.counts.tests))
    end
    vim.fn.setqflist({}, ' ', { title = 'Telltale: the weakest tests', items = items })
    vim.cmd('copen')
  end, {})
end

--- Puts the tests that run the line under the cursor into the location list, those that check it first; in a test, the lines that it
--- runs. Where nothing is known, says why.
function M.checked(target)
  local client = M.client(0)
  ask('telltale.checked', target, function(answer)
    local items = {}
    local function add(place, text)
      local item = vim.lsp.util.locations_to_items({ place }, client.offset_encoding)[1]
      items[#items + 1] = item and vim.tbl_extend('force', item, { text = text })
    end
    for _, it in ipairs(answer.tests or {}) do
      add({ uri = it.uri, range = it.range }, ('%s  %s'):format(it.checks and 'checks it' or 'runs it', short(it.test)))
    end
    for _, file in ipairs(answer.files or {}) do
      for _, it in ipairs(file.lines) do
        add({ uri = file.uri, range = it.range }, ('%s  %s'):format(it.checked and 'checked' or 'not checked', it.text))
      end
    end
    show(answer.said, items)
  end)
end

--- Writes the substitution graph to `file`, or to a temporary one that is shown by the system's viewer.
function M.graph(file, target)
  ask('telltale.graph', target, function(answer)
    local place = file or vim.fn.tempname() .. '.svg'
    if vim.fn.writefile(vim.split(answer.svg, '\n'), place) ~= 0 then
      return say('cannot write ' .. place, vim.log.levels.ERROR)
    end
    if not file and vim.ui.open then
      local _, problem = vim.ui.open(place)
      if problem then
        say('the picture is in ' .. place)
      end
    else
      say('the picture is in ' .. place)
    end
  end)
end

--- Shows what hand-written tests and this test saw, for the generated assertion under the cursor.
function M.evidence(target)
  ask('telltale.evidence', target, function(answer)
    local buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(answer.markdown, '\n'))
    vim.bo[buffer].filetype = 'markdown'
    vim.bo[buffer].bufhidden = 'wipe'
    vim.bo[buffer].modifiable = false
    vim.cmd('sbuffer ' .. buffer)
  end)
end

--- Puts the generated assertions of the file that have a rank into the location list, the marked ones first, or says why there are none.
function M.suspects()
  local client, uri = M.client(0), vim.uri_from_bufnr(0)
  ask('telltale.suspects', nil, function(answer)
    local items = {}
    for _, it in ipairs(answer.assertions) do
      local item = vim.lsp.util.locations_to_items({ { uri = uri, range = it.range } }, client.offset_encoding)[1]
      local words = ('%d. %s (score %.3f)  %s'):format(it.rank, it.text, it.score, it.message)
      items[#items + 1] = vim.tbl_extend('force', item, { text = words, type = it.sure and 'W' or it.marked and 'N' or '' })
    end
    show(answer.said, items)
  end, {})
end

--- Has the tests of the file count as generated; the server says where that cannot be.
function M.review()
  local uri = vim.uri_from_bufnr(0)
  execute('telltale.review', function()
    return { uri = uri }
  end, function() end)
end

--- Has somebody choose how the value under the cursor is checked, and in which test.
function M.check(target)
  ask('telltale.inner.choices', target, function(choices)
    oracles.choose(choices, function(check)
      execute('telltale.inner', function()
        return check
      end, function() end)
    end)
  end, nil, 'no value here that an inner oracle can check: put the cursor on a variable of the code under test')
end

--- Asks for the inner oracles of the project of this buffer; `done` gets them, and is not called where there are none.
local function list_oracles(done)
  ask('telltale.inner.list', nil, function(all)
    if #all == 0 then
      return say('there are no inner oracles; :Telltale check makes one')
    end
    done(all)
  end, {})
end

--- Puts both sides of all inner oracles into the location list.
function M.oracles()
  local client = M.client(0)
  list_oracles(function(all)
    local items = oracles.items(all, client.offset_encoding)
    vim.fn.setloclist(0, {}, ' ', { title = 'Telltale: inner oracles', items = items })
    vim.cmd('lopen')
  end)
end

--- Has somebody choose which inner oracle goes.
function M.remove()
  local uri = vim.uri_from_bufnr(0)
  list_oracles(function(all)
    oracles.choose_removed(all, function(names)
      execute('telltale.inner', function()
        return { ['do'] = 'remove', uri = uri, names = names }
      end, function() end)
    end)
  end)
end

--- Runs the test under the cursor, or with `scope` 'file' or 'folder' those there, and keeps what its values were.
function M.record(scope, target)
  vim.cmd('silent! wall')
  ask('telltale.record', target, function() end, scope and { scope = scope })
end

--- Looks for what no test notices in the method under the cursor, in the lines `from` to `to` (from 1), or in the file.
function M.mutants(from, to, target)
  vim.cmd('silent! wall')
  local range = from and { start = { line = from - 1, character = 0 }, ['end'] = { line = to, character = 0 } }
  ask('telltale.mutants', target, function() end, range and { range = range })
end

--- Reads the project again.
function M.reindex()
  execute('telltale.reindex', nil, function()
    say('the project is read again')
  end)
end

--- For a status line: empty, or the state of the server of the current buffer.
function M.status()
  local client = M.client(0)
  local told = client and M.told[client.id]
  if not told then
    return ''
  elseif told.state == 'indexing' then
    return ('telltale %d/%d'):format(told.indexed, told.total)
  end
  return told.state == 'ready' and 'telltale' or 'telltale ' .. told.state
end

-- What the light bulb leaves to its editor.
vim.lsp.commands = vim.lsp.commands or {}
vim.lsp.commands['telltale.chooseOracle'] = function(command)
  M.check((command.arguments or {})[1])
end

-- A lens that only has a list to show.
vim.lsp.commands['telltale.observe'] = function(command)
  M.observe((command.arguments or {})[1])
end
vim.lsp.commands['telltale.checked'] = function(command)
  local asked = (command.arguments or {})[1] or {}
  -- What is listed here needs no message.
  M.checked({ uri = asked.uri, name = asked.name })
end
vim.lsp.commands['telltale.evidence'] = function(command)
  local asked = (command.arguments or {})[1] or {}
  -- What is shown here needs no file.
  M.evidence({ uri = asked.uri, position = asked.position })
end

return M
