/** The connection closes after an answer that `ends` it. */
export type EppAnswer = { readonly xml: string; readonly ends?: boolean };

export type EppPeer = {
  readonly address: string;
  /** Of the client certificate, whose key the client has proved to hold; undefined if it showed none. */
  readonly fingerprint: string | undefined;
  readonly tlsVersion: string;
  /** The running command is answered, then the connection closes. */
  end(reason: string): void;
};

/** What a connection carries. It knows neither sockets nor frames. */
export type EppSession = {
  greeting(): string;
  /** Called for one frame at a time, in their order. Never rejects. */
  handle(frame: Buffer): Promise<EppAnswer>;
  /** The answer to a frame that cannot be received now; the connection closes after it. */
  refuseFrame(): string;
  /** Who has logged in. */
  readonly registrar: string | undefined;
  /** The connection is gone. */
  close(): void;
};
