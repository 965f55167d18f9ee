# Shell completion, found by bash-completion under its prefix and by zsh in its site-functions.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = completions/bash/rill
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = completions/zsh/_rill
