export type OperationTexts = {
  /** Of an operation named after a status that has no words of its own. */
  readonly set: (status: string) => string;
  readonly setByRegistrar: (status: string) => string;
  readonly lifted: (status: string) => string;
  readonly liftedByRegistrar: (status: string) => string;
  readonly roles: string;
  readonly login: string;
  readonly names: Readonly<Partial<Record<string, string>>>;
};
