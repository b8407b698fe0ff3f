--- What the tests in Neovim share: a line for each thing that was checked, and how the run ends.
---
--- `dofile` it: the tests know where they are started.
local M = {}

local passed, failed = 0, 0

local function say(text)
  io.stdout:write(text .. '\n')
end

--- Counts and names a check; where it is not `ok`, also what was `found`.
function M.check(what, ok, found)
  if ok then
    passed = passed + 1
    say('ok      ' .. what)
  else
    failed = failed + 1
    say('FAILED  ' .. what .. '\n        found ' .. vim.inspect(found))
  end
end

--- Waits until `done()` is true, and gives up after 15 s, or `seconds`.
function M.wait(done, seconds)
  return vim.wait((seconds or 15) * 1000, done, 20)
end

--- The number of the first line of the buffer that holds `text`, from 1.
function M.line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(text, 1, true) then
      return number
    end
  end
  error('no line holds ' .. text)
end

--- Does `run`, whose errors count as failed, says how it went, stops the servers and leaves Neovim.
function M.finish(run)
  local version = vim.version()
  say(('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch))
  local fine, problem = xpcall(run, debug.traceback)
  M.check('no error', fine, problem)
  say(('%d passed, %d failed'):format(passed, failed))
  for _, client in ipairs(vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()) do
    if vim.fn.has('nvim-0.11') == 1 then
      client:stop(true)
    else
      client.stop(true)
    end
  end
  -- Leaving while a server ends has ended newer ones with an error of their own.
  vim.wait(5000, function()
    return #(vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()) == 0
  end, 20)
  vim.cmd(failed == 0 and 'qa!' or 'cq!')
end

return M
