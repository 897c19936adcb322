// The seven kinds of page that content is read differently for.

export type PageType = 'article' | 'documentation' | 'service' | 'forum' | 'collection' | 'listing' | 'product';
