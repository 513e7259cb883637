/** What share of the floor an operation must reach at the least; below it the run fails. */
export type Target = { readonly operation: string; readonly least: number };

export const targets: readonly Target[] = [{ operation: 'GET contact', least: 0.2 }];
