// Tells whether a heading says what the title of its page says.

/** What divides the name of a page from that of its site, and its chapter from its name. */
const DIVIDERS = /\s+[|–—·•«»:-]+\s+|\s+\(|:\s/;

/** The parts of a title, what its dividers stand between: the page first, the site last, or the other way round. */
export function partsOfTitle(title: string): readonly string[] {
  return title.split(DIVIDERS).filter((part) => part.length > 2);
}

/** For texts in lower case: whether one and the title are alike, which they are where one holds the other, the site's name aside. */
export function isTitledBy(title: string): (text: string) => boolean {
  const parts = partsOfTitle(title);
  return (text) =>
    (text !== '' && text === title) || (text.length > 2 && (title.includes(text) || parts.some((part) => text.includes(part))));
}
