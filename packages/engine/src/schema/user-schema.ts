// Checks values against JSON Schemas (2020-12) that users write: bounded before they are compiled, their patterns on a linear-time engine.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { ajv2020 } from '../late-packages.ts';
import { USER_FORMATS } from './formats.ts';
import { compileRe2, findSchemaProblem } from './limits.ts';
import type { SchemaProblem } from './limits.ts';

/** A schema that can be used. */
export interface UserSchema {
  /** The first thing that is wrong with `value`; undefined when it fits. Never changes it. */
  check(value: unknown): SchemaProblem | undefined;
}

/**
 * Compiles a schema, or says why it can't be used: too large or too deep, a keyword or a format that is not known, a pattern that RE2 does
 * not run, a reference that leads out of it.
 */
export function compileUserSchema(schema: unknown): UserSchema | SchemaProblem {
  const problem = findSchemaProblem(schema);
  if (problem) return problem;
  const { Ajv2020 } = ajv2020();
  const ajv = new Ajv2020({
    strictSchema: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ownProperties: true,
    logger: false,
    inlineRefs: false,
    formats: USER_FORMATS,
    code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
  });
  try {
    // Bounded above, and an object or a boolean there.
    const validate = ajv.compile(schema as object | boolean);
    return {
      check(value) {
        try {
          return validate(value) ? undefined : problemOf(validate.errors?.[0]);
        } catch (error) {
          // A schema that refers to itself goes as deep as the value, or on the spot for ever.
          if (error instanceof RangeError) return { path: '', sentence: 'The value is nested too deeply for its schema.' };
          throw error;
        }
      },
    };
  } catch (error) {
    return { path: '', sentence: `The schema can't be used: ${error instanceof Error ? error.message : 'it is not valid'}.` };
  }
}

/** A pattern as JSON Schema writes it, unanchored, on RE2. The validator tells patterns apart by their text. */
function compilePattern(pattern: string): { test(text: string): boolean; toString(): string } {
  const regex = compileRe2(pattern);
  return { test: (text) => regex.matcher(text).find(), toString: () => pattern };
}

function problemOf(error: ErrorObject | undefined): SchemaProblem {
  const detail = error?.keyword === 'additionalProperties' ? ` (${String(error.params['additionalProperty']).slice(0, 80)})` : '';
  return { path: error?.instancePath ?? '', sentence: `It ${error?.message ?? 'does not fit'}${detail}.` };
}
