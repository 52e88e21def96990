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
}

/** The slots of a URLSearchParams. */
export class SearchParamsSlots implements Slots {
  readonly type = "url-search-params";
  readonly params: URLSearchParams;
  /**
   * How many characters were added to the parameters so far. It is an upper bound for the cost of
   * one pass through all of them.
   */
  weight: number;

  constructor(params: URLSearchParams, weight: number) {
    this.params = params;
    this.weight = weight;
  }
}
