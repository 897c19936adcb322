// What each real application says about itself: what it needs, how it starts, and the truth about its pages from its own side.

/** Packages that have to be there before an application is installed. */
export interface Needs {
  /** Debian packages that are installed: programs and libraries, none that brings a service. */
  readonly apt?: readonly string[];
  /** Debian packages that are only unpacked below the home folder: the software itself, without package state. */
  readonly unpack?: readonly string[];
  /** PyPI packages with exact versions, in an environment of the application's own. */
  readonly pip?: readonly string[];
  /** npm packages with exact versions, in the application's own folder. */
  readonly npm?: Readonly<Record<string, string>>;
  /** Exact versions for packages that those of `npm` bring, where the ones that they name are not to be had. */
  readonly npmOverrides?: Readonly<Record<string, string>>;
}

/** Where an application lives. */
export interface Place {
  /** Its own folder; nothing else writes there. */
  readonly folder: string;
  /** The root below which a package of `needs.unpack` lies: `<root>/usr/share/...`. */
  unpacked(name: string): string;
}

/** Where an application is asked to listen, and the origin that its visitors see. */
export interface Listen {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:8401`, without a slash; another one than host and port where a proxy stands in front. */
  readonly origin: string;
}

/** A page that a reader would name, known from the application's own side. */
export interface Page {
  /** Path and query, or path and hash route, from the slash on. */
  readonly path: string;
  readonly title?: string;
  /** Further addresses that show the same text: any of them brings the page. */
  readonly also?: readonly string[];
}

/** Software that somebody else wrote, as it is installed and started here; a file of bench/apps/software exports one or a few. */
export interface Software {
  /** Short and unique: `npm run apps -- <name>`. */
  readonly name: string;
  /** What runs, in words. */
  readonly software: string;
  /** Its port on 127.0.0.1; where that is taken, the same on the next loopback address. */
  readonly port: number;
  readonly needs: Needs;
  /** The package among `needs` whose version is shown. */
  readonly package: string;
  /** `import.meta.filename` of the file that describes it: when that changes, it is installed anew. */
  readonly source: string;
  /** The page that a visitor begins at; left out, `/`. */
  readonly entry?: string;
  /** Makes configuration and content from nothing; called once, and again after a change or a failure. */
  install(place: Place): Promise<void>;
  /** Starts its programs through `children` of the runner and comes back when it answers. */
  start(place: Place, listen: Listen, programs: Programs): Promise<void>;
}

/** One real application whose pages a crawl is held to. */
export interface App extends Software {
  /** A page that is deep inside. */
  readonly inner: string;
  /** CSS selector of the container that the software publishes as its main content. */
  readonly content: string;
  /** Its pages from its own database or files, or by a walker that uses no code of ours. `origin` is where it runs. */
  truth(place: Place, origin: string): Promise<readonly Page[]>;
  /** The page that an address shows, as a path of `truth`, where several addresses show one; left out, an address is its own page. */
  pageOf?(url: URL): string | undefined;
  /**
   * Whether an address that is no page of `truth` is readable all the same, but shows only what pages show already or
   * the software's own bookkeeping: histories, old revisions, special pages. It is neither missed nor waste.
   */
  isAside?(url: URL): boolean;
  /** True where a browser is needed to find all pages: the server alone doesn't send them. */
  readonly needsBrowser?: boolean;
  /** True where pages are told apart by what stands behind `#`, which no server sees. */
  readonly isHashRouted?: boolean;
  /** A digest of what it keeps, that reading may not change; left out where it keeps nothing. */
  state?(place: Place): Promise<string>;
}

/** What starts programs on behalf of an application and ends them with it. */
export interface Programs {
  /** Starts a program whose output goes to the application's log. */
  start(command: string, args: readonly string[], options?: ProgramOptions): void;
  /** Waits until `url` answers. Throws, with the end of the log, when a program ended or time is up. */
  answers(url: string): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}
