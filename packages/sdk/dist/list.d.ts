import type { Meta } from './answer.ts';
export type Page<Item> = {
    readonly items: readonly Item[];
    /** The number of all matches, where the list tells it. */
    readonly count: number | undefined;
    /** The position after this page: given as `after`, it continues here. Undefined on the last page. */
    readonly next: string | undefined;
    readonly meta: Meta;
};
/**
 * The items of a list, page by page as they are used. Pages continue after the last item, so that nothing is skipped
 * or repeated when objects are created, acknowledged or deleted meanwhile.
 */
export declare class List<Item> implements AsyncIterable<Item> {
    #private;
    constructor(read: (after: string | undefined) => Promise<Page<Item>>);
    /** One page: the first, or the one after `after` of the query. */
    page(): Promise<Page<Item>>;
    pages(): AsyncGenerator<Page<Item>, void, undefined>;
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}
