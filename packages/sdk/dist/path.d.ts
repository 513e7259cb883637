/**
 * One segment of a path. An empty one would address the list instead of an object of it, and proxies resolve
 * dots before the registry sees them.
 */
export declare function segment(value: string | number): string;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export declare function queryText(query: Query): string;
