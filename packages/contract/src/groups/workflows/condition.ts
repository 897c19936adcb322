// What steps decide by: comparisons of values, put together. Data, never code.
import { z } from 'zod';

/** A text with places to fill in: `{{inputs.q}}`, `{{vars.x}}`, `{{steps.<id>.out}}`, `{{item}}`, `{{secret:KEY}}`. */
export const Template = z.string().max(20_000).meta({ id: 'Template' });
/** Any JSON whose texts are templates. */
export const JsonTemplate = z.unknown().describe('Any JSON; its texts are templates.');

/** Where something is on a page: alternatives, best first; one that is a list crosses frames and shadow roots from part to part. */
export const Selectors = z
  .array(z.union([z.string().min(1).max(4000), z.array(z.string().min(1).max(4000)).min(1).max(10)]))
  .min(1)
  .max(20)
  .describe('Alternatives, best first; one that is a list crosses frames and shadow roots from part to part.')
  .meta({ id: 'Selectors' });
export type Selectors = z.infer<typeof Selectors>;

/** What of an answer is read. */
export const ReadFrom = z
  .enum(['html', 'json', 'jsonld', 'state', 'xhr', 'text', 'headers'])
  .describe('`html` unless said: elements. JSON of the answer, in the page, in its scripts or that it fetched; its text; its headers.');
export type ReadFrom = z.infer<typeof ReadFrom>;

/** A part of the page that is open. */
export const PageValue = z
  .strictObject({
    from: ReadFrom.optional(),
    selectors: Selectors.optional(),
    path: z.string().min(1).max(4000).optional().describe('JSONPath (RFC 9535) into JSON, or the name of a header.'),
    attr: z.string().min(1).max(200).optional().describe('The attribute that is read instead of what the element says.'),
  })
  .meta({ id: 'PageValue' });
export type PageValue = z.infer<typeof PageValue>;

/** How two values are compared. */
export const COMPARISONS = ['exists', 'eq', 'ne', 'gt', 'lt', 'ge', 'le', 'matches', 'contains', 'schema', 'count'] as const;
/** One of them. */
export const ComparisonOp = z
  .enum(COMPARISONS)
  .describe('`matches` takes an RE2 expression, `schema` a JSON Schema, `count` the number of elements or of members of a list.');

const Comparison = z.strictObject({
  value: JsonTemplate.optional(),
  page: PageValue.optional().describe('Reads the page that is open instead of `value`.'),
  op: ComparisonOp,
  with: JsonTemplate.optional().describe('What the value is compared with; `exists` needs none.'),
});

/** A comparison, or several put together. */
export type Condition =
  | z.infer<typeof Comparison>
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** A comparison, or several put together. */
export const Condition: z.ZodType<Condition> = z
  .union([
    Comparison,
    z.strictObject({
      all: z
        .array(z.lazy(() => Condition))
        .min(1)
        .max(50),
    }),
    z.strictObject({
      any: z
        .array(z.lazy(() => Condition))
        .min(1)
        .max(50),
    }),
    z.strictObject({ not: z.lazy(() => Condition) }),
  ])
  .meta({ id: 'Condition' });
