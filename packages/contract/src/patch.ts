// Merge patches of what is saved (RFC 7396): every member may be left out, and null removes it.
import { z } from 'zod';

type PatchOf<Fields extends z.core.$ZodShape> = {
  [Name in keyof Fields]: z.ZodOptional<z.ZodNullable<PatchField<Fields[Name]>>>;
};

/** What a member is patched with: an object with a patch of it, anything else with another one. */
type PatchField<Field> =
  Field extends z.ZodOptional<infer Inner>
    ? PatchField<Inner>
    : Field extends z.ZodObject<infer Shape>
      ? z.ZodObject<InnerPatchOf<Shape>, z.core.$strict>
      : Field extends z.ZodRecord<infer Key, infer Value extends z.core.SomeType>
        ? z.ZodRecord<Key, z.ZodNullable<Value>>
        : Field extends z.core.SomeType
          ? Field
          : never;

/** Null removes what may be absent. */
type InnerPatchOf<Shape extends z.core.$ZodShape> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends z.ZodOptional
    ? z.ZodOptional<z.ZodNullable<PatchField<Shape[Name]>>>
    : z.ZodOptional<PatchField<Shape[Name]>>;
};

/** The members of a merge patch of what is made of `fields`; what is made of a patch is checked as a new one is. */
export function patchOf<Fields extends z.ZodRawShape>(fields: Fields): PatchOf<Fields> {
  const wrapped: unknown = mapped(fields, (field) => patchField(field).nullable().optional());
  // One entry per field, each wrapped the same way.
  return wrapped as PatchOf<Fields>;
}

function patchField(field: z.core.$ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) {
    const inner = field.unwrap();
    const patch = patchField(inner);
    return patch === inner ? field : withWords(patch, field);
  }
  if (field instanceof z.ZodObject) {
    const shape = mapped(field.shape, (inner) => {
      const patch = patchField(inner);
      return inner instanceof z.ZodOptional ? patch.nullable().optional() : patch.optional();
    });
    return withWords(z.strictObject(shape), field);
  }
  // Anything at all may be null already.
  if (field instanceof z.ZodRecord && !(field.valueType instanceof z.ZodUnknown))
    return withWords(z.record(field.keyType, z.nullable(field.valueType)), field);
  // Every schema of the contract is one of these.
  return field as z.ZodType;
}

function withWords(patch: z.ZodType, { description }: z.ZodType): z.ZodType {
  return description === undefined ? patch : patch.describe(description);
}

function mapped(fields: z.core.$ZodShape, map: (field: z.core.$ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));
}
