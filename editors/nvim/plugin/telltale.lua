if vim.g.loaded_telltale then
  return
end
vim.g.loaded_telltale = true

local names = { 'observe', 'weakest', 'checked', 'graph', 'evidence', 'suspects', 'review', 'check', 'oracles', 'remove', 'record', 'mutants', 'reindex' }

local commands = {
  observe = function()
    require('telltale').observe()
  end,
  weakest = function()
    require('telltale').weakest()
  end,
  checked = function()
    require('telltale').checked()
  end,
  graph = function(file)
    require('telltale').graph(file)
  end,
  evidence = function()
    require('telltale').evidence()
  end,
  suspects = function()
    require('telltale').suspects()
  end,
  review = function()
    require('telltale').review()
  end,
  check = function()
    require('telltale').check()
  end,
  oracles = function()
    require('telltale').oracles()
  end,
  remove = function()
    require('telltale').remove()
  end,
  record = function(scope)
    require('telltale').record(scope)
  end,
  mutants = function(_, from, to)
    require('telltale').mutants(from, to)
  end,
  reindex = function()
    require('telltale').reindex()
  end,
}

-- Neovim 0.12 says nothing of a server that it cannot start.
if vim.lsp.is_enabled then
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('telltale_missing', { clear = true }),
    pattern = 'java',
    desc = 'Telltale: say so once where the server is missing',
    callback = function()
      if vim.lsp.is_enabled('telltale') then
        require('telltale').there()
      end
    end,
  })
end

vim.api.nvim_create_user_command('Telltale', function(call)
  local name, rest = call.args:match('^(%S+)%s*(.-)$')
  local run = commands[name]
  if not run then
    local all = table.concat(names, ', '):gsub(', (%w+)$', ' or %1')
    return vim.notify(('Telltale: %s, not %s'):format(all, name), vim.log.levels.ERROR)
  end
  local selected = call.range > 0
  run(rest ~= '' and vim.fn.expand(rest) or nil, selected and call.line1 or nil, selected and call.line2 or nil)
end, {
  nargs = '+',
  range = true,
  desc = 'What to observe in the test under the cursor',
  complete = function(start, line)
    if line:match('^%S+%s+graph%s') then
      return vim.fn.getcompletion(start, 'file')
    end
    return vim.tbl_filter(function(name)
      return vim.startswith(name, start)
    end, names)
  end,
})
