export type EventContent = {
  readonly type: string;
  readonly at: Date;
  /** JSON text. */
  readonly data: string;
};

/** What is posted, the same at every attempt. */
export const eventBody = ({ type, at, data }: EventContent): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}`;
