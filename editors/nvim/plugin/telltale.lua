if vim.g.loaded_telltale then
  return
end
vim.g.loaded_telltale = true

local commands = {
  observe = function()
    require('telltale').observe()
  end,
  graph = function(file)
    require('telltale').graph(file)
  end,
  evidence = function()
    require('telltale').evidence()
  end,
  record = function(scope)
    require('telltale').record(scope)
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
    return vim.notify('Telltale: observe, graph, evidence, record or reindex, not ' .. tostring(name), vim.log.levels.ERROR)
  end
  run(rest ~= '' and vim.fn.expand(rest) or nil)
end, {
  nargs = '+',
  desc = 'What to observe in the test under the cursor',
  complete = function(start, line)
    if line:match('^%S+%s+graph%s') then
      return vim.fn.getcompletion(start, 'file')
    end
    return vim.tbl_filter(function(name)
      return vim.startswith(name, start)
    end, { 'observe', 'graph', 'evidence', 'record', 'reindex' })
  end,
})
