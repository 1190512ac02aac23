"""Completion for PowerShell, which click has for bash, zsh and fish only."""

from __future__ import annotations

import os

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

# about_Functions_Argument_Completion, Register-ArgumentCompleter -Native
_SOURCE = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $env:%(complete_var)s = 'powershell_complete'
    $env:COMP_WORDS = $commandAst.ToString()
    $env:COMP_CWORD = $wordToComplete
    %(prog_name)s | ForEach-Object {
        $value, $help = $_ -split "`t", 2
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
    }
    Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_CWORD
}
"""


class _PowerShellComplete(ShellComplete):
    """Reads the words of PowerShell, and writes completions with their help, separated by a tab."""

    name = "powershell"
    source_template = _SOURCE

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the incomplete one, and that one."""
        words = split_arg_string(os.environ["COMP_WORDS"])[1:]
        incomplete = os.environ["COMP_CWORD"]
        return (words[:-1] if incomplete and words[-1:] == [incomplete] else words), incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Write a completion; PowerShell refuses an empty help."""
        return f"{item.value}\t{item.help or item.value}"


add_completion_class(_PowerShellComplete)
