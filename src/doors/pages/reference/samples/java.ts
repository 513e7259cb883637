import { joinedArguments, shifted } from './literal.ts';
import type { Caller, SampleRequest } from './sample-request.ts';

const quoted = (value: string): string => JSON.stringify(value);

export function javaSetup({ user }: Caller, hasBasic: boolean): string {
  const pair = user
    ? quoted(`${user.username}:${user.password}`)
    : 'System.getenv("API_USER") + ":" + System.getenv("API_PASSWORD")';
  const signIn = hasBasic
    ? `"Basic " + Base64.getEncoder().encodeToString((${pair}).getBytes(UTF_8))`
    : '"Bearer " + System.getenv("API_TOKEN")';
  return `import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;

final class Registry {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String AUTHORIZATION =
      ${signIn};

  static HttpResponse<String> call(String method, String url, String body, String... headers)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url))
        .header("Authorization", AUTHORIZATION)
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) request.header("Content-Type", "application/json");
    if (headers.length > 0) request.headers(headers);
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}`;
}

/** The call by the HTTP client of Java, with the body as a text block. */
export function javaSample({ method, url, headers, body, isDocument }: SampleRequest): string {
  const texts = [
    quoted(method),
    quoted(url),
    body === undefined ? 'null' : textBlock(body),
    ...Object.entries(headers).flat().map(quoted),
  ];
  const called = `var answer = Registry.call(${joinedJava(texts)});`;
  return `${called}\nSystem.out.println(answer.${isDocument ? 'statusCode' : 'body'}());`;
}

/** Java takes no comma after the last argument. */
const joinedJava = (texts: readonly string[]): string => {
  const joined = joinedArguments(texts, '    ');
  return joined.endsWith(',\n') ? joined.slice(0, -2) : joined;
};

/** The spaces before the closing quotation marks are those that are left out of every line. */
function textBlock(body: unknown): string {
  const json = JSON.stringify(body, null, 2).replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  return `"""\n${shifted(json, '')}"""`;
}
