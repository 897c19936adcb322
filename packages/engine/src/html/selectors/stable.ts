// Tells names that a site's authors chose from names that tools generate and states that come and go.

const STATE =
  /^(?:is-|has-|js-|no-|ng-|v-|data-v-)|^(?:active|current|selected|open|opened|closed|hidden|visible|show|shown|hover|focus|focused|disabled|enabled|loaded|loading|lazy|lazyload(?:ed|ing)?|expanded|collapsed|first|last|odd|even|checked|sticky|fixed|animated|fade|in|out|on|off|new|clearfix|row|col|container|wrapper|inner|outer)$/i;
const GENERATED_PREFIX =
  /^(?:css|sc|jsx|jss|emotion|styled|svelte|_?ngcontent|ember|react|radix|headlessui|mui|makeStyles|chakra|tw|yui|ext-gen|gen|auto|uid|uuid|id|__)[-_:]?[a-z]*\d/i;

/** `productPrice` has humps of six letters, `bdVaJa` of two. */
const HUMP_CHARACTERS_MIN = 2.5;

/** Whether a class name or an id is likely to be there, meaning the same, after the site's next release. */
export function isStableName(name: string): boolean {
  if (name.length < 3 || name.length > 40 || !/^[a-z][\w-]*$/i.test(name)) return false;
  if (STATE.test(name) || GENERATED_PREFIX.test(name) || /\d{2}/.test(name)) return false;
  return name.split(/[-_]+/).every((part) => part === '' || isWordLike(part));
}

/** Words have vowels between few consonants; `bdVaJa`, `x9f2k` and `1q2w3e` don't read as words. */
function isWordLike(part: string): boolean {
  if (/\d/.test(part) && !/^[a-z]+\d$|^\d$/i.test(part)) return false;
  const humps = part.split(/(?=[A-Z])/);
  if (humps.length > 1 && part.length / humps.length < HUMP_CHARACTERS_MIN) return false;
  return part.length < 4 || (/[aeiouy]/i.test(part) && !/[bcdfghjklmnpqrstvwxz]{6}/i.test(part));
}

/** Whether the value of a `data-` attribute reads like a name that an author gave, rather than a counter or a state. */
export function isStableValue(value: string): boolean {
  return (
    value.length >= 2 && value.length <= 60 && /^[a-z][\w .:/-]*$/i.test(value) && !/\d{4}|^(?:true|false|null|none|auto)$/i.test(value)
  );
}
