// What elements are by their names alone, for everything that reads text out of pages. What readers add to it stands beside their rules.

/** Elements that begin and end a line by default: CSS display `block`, `list-item` or that of a table's rows (HTML, 15.3). */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary ' +
    'table tbody tfoot thead tr ul xmp'
  ).split(' '),
);

/** Elements whose text never joins the text beside them: blocks, cells and controls. */
export const APART_ELEMENTS: ReadonlySet<string> = new Set([...BLOCK_ELEMENTS, 'button', 'select', 'td', 'th']);

/** Elements that stand within a line of text. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u ' +
    'var wbr'
  ).split(' '),
);
