// What a file system refused, in words.

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'its permissions do not allow it',
  EDQUOT: 'the quota of its disk is used up',
  EEXIST: 'there is one already',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left on its disk',
  ENOTDIR: 'a part of its path is no folder',
  EPERM: 'its permissions do not allow it',
  EROFS: 'its disk can only be read',
};

/** Why, as the end of a sentence. */
export function fileFault(error: NodeJS.ErrnoException): string {
  return WORDS[error.code ?? ''] ?? error.message;
}

/** The sentence of an error of the file system; undefined for any other. */
export function fileSentence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path = 'A file' } = error as NodeJS.ErrnoException;
  // A file that is not whole yet has another name.
  return Object.hasOwn(WORDS, code) ? `${path.replace(/\.part$/, '')} can't be read or written: ${fileFault(error)}.` : undefined;
}
