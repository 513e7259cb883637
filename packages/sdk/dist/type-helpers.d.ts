/** The form of an answer that a flag of the query chooses. */
export type Flagged<Flag extends boolean, Yes, No> = Flag extends true ? Yes : No;
/** Nothing, where otherwise a T is: `if (data.id !== undefined)` tells them apart. */
export type Absent<T> = {
    readonly [Member in keyof T]?: undefined;
};
