// The long works of the engine, each loaded with its first call: a program that rests, or only keeps books, holds none of them in memory.

/** Crawls a site as it was asked to; see `crawl/work/crawl-work.ts`. */
export const workCrawl = late(async () => (await import('./crawl/work/crawl-work.ts')).workCrawl);
/** The same, and by which rules it ended. */
export const workCrawlByRules = late(async () => (await import('./crawl/work/crawl-work.ts')).workCrawlByRules);
/** Fetches and reads one page as a crawl would; see `crawl/work/scrape-page.ts`. */
export const scrapePage = late(async () => (await import('./crawl/work/scrape-page.ts')).scrapePage);
/** The addresses of a site; see `crawl/work/map-answer.ts`. */
export const mapAnswer = late(async () => (await import('./crawl/work/map-answer.ts')).mapAnswer);
/** Parts of one page by selectors; see `crawl/extract-parts.ts`. */
export const extractParts = late(async () => (await import('./crawl/extract-parts.ts')).extractParts);
/** A list, followed over its pages; see `crawl/extract-list.ts`. */
export const extractList = late(async () => (await import('./crawl/extract-list.ts')).extractList);
/** The document that is no HTML; see `page/other-documents.ts`. */
export const readOther = late(async () => (await import('./page/other-documents.ts')).readOther);

/** Runs a workflow to its end; see `run/loop.ts`. */
export const runWorkflow = late(async () => (await import('./run/loop.ts')).runWorkflow);
/** The same, by HTTP where runs came to the same by it; see `run/candidate/run-with-candidate.ts`. */
export const runWithCandidate = late(async () => (await import('./run/candidate/run-with-candidate.ts')).runWithCandidate);

/** Makes a check of a monitor; see `monitor/run-check.ts`. */
export const runCheck = late(async () => (await import('./monitor/run-check.ts')).runCheck);
/** Reads a selector on its page as it is now; see `monitor/probe.ts`. */
export const probeTarget = late(async () => (await import('./monitor/probe.ts')).probeTarget);

/** Builds an API of a site; see `build/build.ts`. */
export const runBuild = late(async () => (await import('./build/build.ts')).runBuild);
/** The one call of a model that a build may make; see `build/ai/supervise.ts`. */
export const createSupervise = lateMade(async () => (await import('./build/ai/supervise.ts')).createSupervise);
/** The rung on which a model walks the site; see `build/ai/sweep.ts`. */
export const createSweep = lateMade(async () => (await import('./build/ai/sweep.ts')).createSweep);
/** Proves what somebody picked of a build; see `build/build.ts`. */
export const buildPicked = late(async () => (await import('./build/build.ts')).buildPicked);
/** Proves a function again; see `build/build.ts`. */
export const reproveFunction = late(async () => (await import('./build/build.ts')).reproveFunction);
/** Calls a function of a build; see `build/try.ts`. */
export const tryFunction = late(async () => (await import('./build/try.ts')).tryFunction);
/** Calls a function as its certificate was made; see `build/health/recheck.ts`. */
export const recheckFunction = late(async () => (await import('./build/health/recheck.ts')).recheckFunction);
/** Decides a certificate again from its stored answers; see `build/proof/verify.ts`. */
export const verifyCertificate = late(async () => (await import('./build/proof/verify.ts')).verifyCertificate);

/** What makes such a function, as one that makes it with its first call. */
function lateMade<Ports, Args extends readonly unknown[], Result>(
  load: () => Promise<(ports: Ports) => (...args: Args) => Promise<Result>>,
): (ports: Ports) => (...args: Args) => Promise<Result> {
  return (ports) => late(async () => (await load())(ports));
}

/** A function that answers later anyway, as one that is loaded first. */
function late<Args extends readonly unknown[], Result>(
  load: () => Promise<(...args: Args) => Result | Promise<Result>>,
): (...args: Args) => Promise<Result> {
  return async (...args) => (await load())(...args);
}
