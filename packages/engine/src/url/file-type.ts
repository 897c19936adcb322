// The ending of an address, where it could name a file: what it leads to is decided by the content type of its answer.

/** Endings that programs give to pages. */
const PAGE_ENDING = /^\.(?:html?|xhtml|shtml|php\d?|phtml|aspx?|jsp|jspx|cfm|cgi|pl|do|action|jsf)$/i;

/** The ending of the path, such as `.zip`, in lower case; undefined without one and for those that programs give to pages. */
export function findEnding(url: string): string | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  // The name of a host ends like a file now and then: only what follows a slash of the path counts.
  const afterHost = path.indexOf('/', path.indexOf('//') + 2);
  const ending = afterHost < 0 ? undefined : /\.[A-Za-z0-9]{1,10}$/.exec(path.slice(afterHost))?.[0].toLowerCase();
  return ending === undefined || PAGE_ENDING.test(ending) ? undefined : ending;
}
