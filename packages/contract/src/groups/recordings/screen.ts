// A page of a browser session that a person acts on from another browser: how it is opened, and what goes over its WebSocket (D17).
import { z } from 'zod';
import { instant, rowId } from '../../ids.ts';

/** Where a person opens a page that is acted on. */
export const ScreenLink = z
  .strictObject({
    url: z.string().describe('To open in a browser on this machine; it works once, and a page that is open can be loaded again.'),
    expires_at: instant.describe('Until when it has to be opened.'),
  })
  .meta({ id: 'ScreenLink' });
export type ScreenLink = z.infer<typeof ScreenLink>;

const place = { x: z.number().min(-10_000).max(100_000), y: z.number().min(-10_000).max(100_000) };

/** What a person does with mouse and keys; places are pixels of the page that is shown. */
export const PersonAct = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('move'), ...place }),
  z.strictObject({
    kind: z.enum(['down', 'up']),
    ...place,
    button: z.enum(['left', 'middle', 'right']).optional(),
    clicks: z.union([z.literal(1), z.literal(2)]).optional(),
  }),
  z.strictObject({ kind: z.literal('wheel'), ...place, dx: z.number(), dy: z.number() }),
  z.strictObject({ kind: z.enum(['keyDown', 'keyUp']), key: z.string().min(1).max(40) }),
  z.strictObject({ kind: z.literal('text'), text: z.string().max(10_000) }),
]);

/** A frame that a screen sends; one member each. */
export const ScreenFrame = z.union([
  z.strictObject({ watch: z.strictObject({ kind: z.enum(['recording', 'run']), id: rowId }) }),
  z.strictObject({ look: z.literal(true) }),
  z.strictObject({ act: PersonAct }),
  z.strictObject({ open: z.string().min(1).max(8000) }),
  z.strictObject({ done: z.string().max(1000) }),
  z.strictObject({ discard: z.literal(true) }),
]);
export type ScreenFrame = z.infer<typeof ScreenFrame>;
