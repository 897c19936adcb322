// The runtime token's own operation, under /x/.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Identity } from '../auth/identity.ts';

/** `published` runs after a rotation, to write the new token where clients look for it. */
export function tokenHandlers(identity: Identity, published: () => void): GroupHandlers<ExtraTable['token']> {
  return {
    rotate: () => {
      const rotated = identity.rotate();
      published();
      return { status: 200, body: rotated };
    },
  };
}
