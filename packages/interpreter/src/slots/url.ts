import type { GuestObject, Slots } from "../guest-value.ts";

/** The slots of a URL. */
export class UrlSlots implements Slots {
  readonly type = "url";
  readonly url: URL;
  readonly searchParams: GuestObject;

  constructor(url: URL, searchParams: GuestObject) {
    this.url = url;
    this.searchParams = searchParams;
  }

  get held(): readonly unknown[] {
    return [this.url.href, this.searchParams];
  }
}

/** The slots of a URLSearchParams. */
export class SearchParamsSlots implements Slots {
  readonly type = "url-search-params";
  readonly params: URLSearchParams;
  /**
   * How many characters have been added to the parameters so far. This is an upper bound for the
   * cost of one pass over all of them.
   */
  weight: number;

  constructor(params: URLSearchParams, weight: number) {
    this.params = params;
    this.weight = weight;
  }

  get heapBytes(): number {
    return 2 * this.weight;
  }
}
