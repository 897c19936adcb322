// Scripts that complete command lines.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [
    {
      name: 'completion',
      summary: 'print a completion script: bash, zsh, fish or pwsh',
      args: ['<shell>', '[words...]'],
      examples: ['source <(weft completion bash)', 'weft completion fish > ~/.config/fish/completions/weft.fish'],
      load: () => import('./completion.ts'),
    },
  ],
};
