-- Beside Eclipse's server for Java, in one buffer of Neovim 0.11 or newer. Reads TELLTALE, DEMO (a copy: Eclipse writes into
-- the project), JDTLS (its folder), JAVA (a JDK's `java`, 21 or newer) and WORK (a folder for Eclipse's data).
local shared = dofile('test/check.lua')
local check = shared.check

--- What each server answers, by its name.
local function ask(method, params)
  local out = {}
  for id, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 30000) or {}) do
    out[vim.lsp.get_client_by_id(id).name] = answer.result or answer.err
  end
  return out
end

local function run()
  local root = vim.env.DEMO
  vim.g.telltale_program = vim.env.TELLTALE
  local folder = vim.env.JDTLS
  vim.lsp.config('jdtls', {
    cmd = {
      vim.env.JAVA,
      '-Declipse.application=org.eclipse.jdt.ls.core.id1',
      '-Dosgi.bundles.defaultStartLevel=4',
      '-Declipse.product=org.eclipse.jdt.ls.core.product',
      '-Xmx1G',
      '--add-modules=ALL-SYSTEM',
      '--add-opens', 'java.base/java.util=ALL-UNNAMED',
      '--add-opens', 'java.base/java.lang=ALL-UNNAMED',
      '-jar', vim.fn.glob(folder .. '/plugins/org.eclipse.equinox.launcher_*.jar'),
      '-configuration', vim.env.WORK .. '/config_linux',
      '-data', vim.env.WORK .. '/data',
    },
    filetypes = { 'java' },
    root_dir = root,
    settings = {
      java = {
        referencesCodeLens = { enabled = true },
        -- The demo's libraries need not be there: the sources of the JDK do.
        import = { maven = { enabled = false }, gradle = { enabled = false } },
        project = { sourcePaths = { 'src/main/java' } },
      },
    },
  })
  vim.cmd('filetype on')
  vim.lsp.enable({ 'telltale', 'jdtls' })
  vim.cmd('edit ' .. root .. '/src/main/java/demo/Stats.java')
  local at
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find('comparison = ', 1, true)
    if column then
      at = { line = number - 1, character = column }
    end
  end
  local document = { uri = vim.uri_from_bufnr(0) }
  local hovers = {}
  vim.wait(150000, function()
    if #vim.lsp.get_clients({ bufnr = 0 }) < 2 then
      return false
    end
    hovers = ask('textDocument/hover', { textDocument = document, position = at })
    local ours, theirs = vim.inspect(hovers.telltale), vim.inspect(hovers.jdtls)
    return ours:find('1st of 29', 1, true) and theirs:find('comparison', 1, true)
  end, 500)
  check('both hover', vim.inspect(hovers.telltale):find('1st of 29', 1, true) and vim.inspect(hovers.jdtls):find('int comparison', 1, true), hovers)
  check('ours has no type, theirs no rank',
    not vim.inspect(hovers.telltale):find('int comparison', 1, true) and not vim.inspect(hovers.jdtls):find('1st of', 1, true), hovers)

  local lenses
  vim.wait(30000, function()
    lenses = ask('textDocument/codeLens', { textDocument = document })
    return #(lenses.telltale or {}) > 0 and #(lenses.jdtls or {}) > 0
  end, 500)
  check('both have lenses', #(lenses.telltale or {}) > 0 and #(lenses.jdtls or {}) > 0, lenses)

  local words = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    words[#words + 1] = diagnostic.source
  end
  check('diagnostics are theirs alone', not vim.tbl_contains(words, 'telltale'), words)
  local ours = vim.lsp.get_clients({ bufnr = 0, name = 'telltale' })[1]
  local mine = ours and ours.server_capabilities or {}
  local twice = vim.tbl_filter(function(what)
    return mine[what]
  end, { 'completionProvider', 'definitionProvider', 'referencesProvider', 'renameProvider', 'documentFormattingProvider', 'documentSymbolProvider' })
  check('we repeat nothing that it gives', #twice == 0, twice)

  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// a line' })
  at.line = at.line + 1
  hovers = ask('textDocument/hover', { textDocument = document, position = at })
  check('after an edit both still know the place', vim.inspect(hovers.telltale):find('1st of 29', 1, true) and vim.inspect(hovers.jdtls):find('int comparison', 1, true), hovers)
end

shared.finish(run)
