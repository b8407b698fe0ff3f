--- `:checkhealth telltale`
local M = {}

function M.check()
  local health = vim.health or require('health')
  local start = health.start or health.report_start
  local ok, info = health.ok or health.report_ok, health.info or health.report_info
  local warn, bad = health.warn or health.report_warn, health.error or health.report_error
  local telltale = require('telltale')

  start('telltale')
  local program = telltale.program()
  if vim.fn.executable(program) ~= 1 then
    bad(program .. (program:find('[/\\]') and ' is no program' or ' is not on the search path'), {
      'install it: cargo install --locked --path server/telltale',
      "or name it: vim.g.telltale_program = '/path/to/telltale'",
    })
  else
    ok(vim.trim(vim.fn.system({ program, '--version' })) .. ' at ' .. vim.fn.exepath(program))
  end
  if vim.fn.has('nvim-0.11') == 1 then
    if vim.lsp.is_enabled and not vim.lsp.is_enabled('telltale') then
      warn('not enabled', { "vim.lsp.enable('telltale')" })
    end
  else
    info("this Neovim starts servers itself: see :help telltale-older")
  end
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'telltale' }) or vim.lsp.get_active_clients()
  local running = 0
  for _, client in ipairs(clients) do
    if client.name == 'telltale' then
      running = running + 1
      local told = telltale.told[client.id]
      local state = told and ('%s, %d of %d files'):format(told.state, told.indexed, told.total) or 'no word yet'
      ok(('runs for %s: %s'):format(client.config.root_dir or 'single files', state))
    end
  end
  if running == 0 then
    info('no server runs; one starts when a Java file is opened, or again by :edit')
  end
  if not vim.lsp.inlay_hint then
    info('this Neovim shows no hints: they come with 0.10')
  end
end

return M
