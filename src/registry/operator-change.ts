/** A change by an operator: who, when and, if relevant, why. */
export type OperatorChange = {
  readonly actor: string;
  readonly at: Date;
  readonly reason?: string | undefined;
  /** Of the request by which a person changed it in the console. */
  readonly requestId?: string | undefined;
  /** Only what belongs to this registrar is changed: a person has no right to more. */
  readonly registrarId?: number | undefined;
};
