/**
 * The items of a list, page by page as they are used. Pages continue after the last item, so that nothing is skipped
 * or repeated when objects are created, acknowledged or deleted meanwhile.
 */
export class List {
    #read;
    constructor(read) {
        this.#read = read;
    }
    /** One page: the first, or the one after `after` of the query. */
    page() {
        return this.#read(undefined);
    }
    async *pages() {
        let page = await this.#read(undefined);
        yield page;
        while (page.next !== undefined) {
            page = await this.#read(page.next);
            yield page;
        }
    }
    async *[Symbol.asyncIterator]() {
        for await (const page of this.pages())
            yield* page.items;
    }
}
