import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { parsePart } from './validate.ts';

const schema = z.strictObject({
  limit: z.int().min(1).max(50).optional(),
  share: z.number().gt(0).lt(1).optional(),
  name: z.string().min(2).max(5).optional(),
  paths: z.array(z.string()).min(1).max(2).optional(),
  formats: z.array(z.enum(['html', 'text'])).optional(),
  wait: z.boolean().optional(),
  only: z.literal(true).optional(),
  slug: z.string().regex(/^a/, 'must begin with a').optional(),
  when: z
    .union([
      z.strictObject({ op: z.enum(['eq', 'gt']), value: z.string().optional() }),
      z.strictObject({ all: z.array(z.strictObject({ op: z.enum(['eq', 'gt']) })).min(1) }),
      z.string(),
    ])
    .optional(),
  act: z.discriminatedUnion('type', [z.strictObject({ type: z.literal('open') }), z.strictObject({ type: z.literal('close') })]).optional(),
});

suite('what is wrong with an input is said in words', () => {
  for (const [value, sentence] of [
    [{ limit: 0 }, '"limit" must be at least 1; it is 0.'],
    [{ limit: 51 }, '"limit" must be at most 50; it is 51.'],
    [{ limit: 1.5 }, '"limit" must be an integer; it is 1.5.'],
    [{ limit: '5' }, '"limit" must be a number; it is "5".'],
    [{ limit: null }, '"limit" must be a number; it is null.'],
    [{ share: 0 }, '"share" must be more than 0; it is 0.'],
    [{ share: 1 }, '"share" must be less than 1; it is 1.'],
    [{ name: 'a' }, '"name" must have at least 2 characters; it is "a".'],
    [{ name: 'abcdef' }, '"name" must have at most 5 characters; it is "abcdef".'],
    [{ paths: [] }, '"paths" must have at least 1 member.'],
    [{ paths: ['a', 'b', 'c'] }, '"paths" must have at most 2 members.'],
    [{ paths: 'a' }, '"paths" must be an array; it is "a".'],
    [{ formats: ['pdf'] }, '"formats.0" must be one of "html", "text"; it is "pdf".'],
    [{ wait: 'yes' }, '"wait" must be true or false; it is "yes".'],
    [{ only: false }, '"only" must be true; it is false.'],
    [{ slug: 'b' }, '"slug" must begin with a; it is "b".'],
    [[], 'The body must be an object.'],
    [{ when: {} }, '"when.op" is missing; it must be one of "eq", "gt".'],
    [{ when: { value: 'a' } }, '"when.op" is missing; it must be one of "eq", "gt".'],
    [{ when: { op: '==' } }, '"when.op" must be one of "eq", "gt"; it is "==".'],
    [{ when: { op: 'eq', all: [{ op: 'eq' }] } }, 'Unknown member "all" in "when".'],
    [{ when: { all: [{ op: 'x' }] } }, '"when.all.0.op" must be one of "eq", "gt"; it is "x".'],
    [{ act: { type: 'opne' } }, '"act.type" must be one of "open", "close"; it is "opne".'],
    [{ act: {} }, '"act.type" is missing; it must be one of "open", "close".'],
    [{ when: 5 }, '"when" must be an object or a string; it is 5.'],
  ] as const)
    test(`says of ${JSON.stringify(value)}: ${sentence}`, () =>
      assert.throws(() => parsePart(schema, value, 'body'), { code: 'bad_request', message: sentence }));
});
