import type { CopyKey, StoredCopy } from '@weft/engine';
import { pageCopiesSuite } from './page-copies-suite.ts';

const nameOf = ({ url, scope }: CopyKey) => `${scope} ${url}`;

pageCopiesSuite('memory', async () => {
  const stored = new Map<string, StoredCopy>();
  return {
    copies: { find: async (key) => stored.get(nameOf(key)) },
    async keep({ record, copy }) {
      if (copy?.kind === 'new') {
        const { key, links, checkedAtMs, validators } = copy;
        stored.set(nameOf(key), { record, links, checkedAtMs, validators });
      } else if (copy) {
        const known = stored.get(nameOf(copy.key));
        if (known) stored.set(nameOf(copy.key), { ...known, record, checkedAtMs: copy.checkedAtMs });
      }
    },
    deleteRecords: async () => stored.clear(),
    close: async () => undefined,
  };
});
