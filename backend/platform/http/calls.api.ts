import type * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';

/** Media types of bodies that are read. */
export type BodyMedia =
  | 'application/json'
  | 'application/reports+json'
  | 'application/x-www-form-urlencoded'
  | 'message/rfc822'
  | 'multipart/form-data';

export interface RateLimitOptions {
  /** Name of the limit; routes that share it share their points. */
  name: string;
  /** Requests allowed in each window. */
  points: number;
  /** Length of the window in seconds. */
  seconds: number;
  /** Whether the RateLimit headers are sent only with a refusal, for limits that many callers share. */
  isShared?: true;
  /** Counted for the person who is signed in instead of for an address. */
  byPerson?: true;
  /** Counted in each process separately, for requests that cost less than a write to the store. */
  byProcess?: true;
}

/** Changes that students make to their sessions and charges; the trainer is notified of each at once. */
export const STUDENT_WRITES: RateLimitOptions = {
  name: 'student-writes',
  points: 30,
  seconds: 60,
  byPerson: true,
};

/** Documents that are generated for each request of a student. */
export const STUDENT_FILES: RateLimitOptions = {
  name: 'student-files',
  points: 30,
  seconds: 600,
  byPerson: true,
};

export interface RouteOptions {
  /** One line for the OpenAPI document. */
  summary: string;
  /** Group in the OpenAPI document; by default the first word of the path. */
  tags?: string[];
  /** Schemas of path, query and JSON body. A part without a schema must be empty. */
  params?: $ZodType;
  query?: $ZodType;
  body?: $ZodType;
  /** Schema of the successful answer; none where it has no body. */
  answer?: $ZodType;
  /** Status of success, by default 200. */
  status?: number;
  /** Roles that may call it, by default trainers only. */
  roles?: readonly ('personal' | 'aluno')[];
  /** Also for a caller who is signed in by the link to the student's area, as that student. */
  byLink?: true;
  /** Public: needs no signed-in user. */
  public?: boolean;
  /** For any signed-in user, with or without a membership. */
  signedIn?: boolean;
  /**
   * How a session is answered whose user has a second factor that it has not used: normally, or with this status.
   * Default: refused with 403.
   */
  beforeSecondFactor?: 'answered' | 401 | 422;
  /** Media types of the body where it is not JSON: a form that another site posts, reports of a browser, or a mail. */
  takes?: readonly BodyMedia[];
  /** A POST that changes nothing: treated as a GET, without an `Idempotency-Key`. */
  asks?: boolean;
  /** Errors also carry their text as `error`, for clients that read no other field. */
  tellsError?: boolean;
  /** The body is signed: it stays in `request.bytes`, and is parsed by `readSigned` once its signature holds. */
  isSigned?: boolean;
  /** Largest body in bytes, if the default is too small. */
  bodyLimit?: number;
  /** Most keys and elements of the body, if the default is too small. */
  maxValues?: number;
  /** Media type of the answer if it is not JSON. */
  media?: string;
}

export interface CallOptions extends RouteOptions {
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  answer?: z.ZodMiniType;
  limit?: RateLimitOptions;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the API: its method, its path below `/api/v1`, and what it takes and answers. See `serve` for its other side. */
export interface Call<
  M extends Method = Method,
  Path extends string = string,
  Options extends CallOptions = CallOptions,
> {
  readonly method: M;
  readonly path: Path;
  readonly options: Options;
}

/** The parts of a path with a name: `/charges/:id/payments/:payment` has two. They are ids, unless `params` says otherwise. */
type PartsOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? [Name, ...PartsOf<`/${Rest}`>]
  : Path extends `${string}/:${infer Name}`
    ? [Name]
    : [];

type Strings<Names extends string[]> = { [At in keyof Names]: string };

export type PartsAt<Path extends string> = Strings<PartsOf<Path>>;

/** What a call hands over: the named parts of its path in order, then its query or body. */
export type ArgsOf<C extends Call> = [
  ...parts: PartsAt<C['path']>,
  ...given: C['options'] extends { body: infer Body extends z.ZodMiniType }
    ? [z.output<Body>]
    : C['options'] extends { query: infer Query extends z.ZodMiniType }
      ? [z.output<Query>]
      : [],
];

/** The body of a call, or its query, before it is parsed. */
export type GivenTo<C extends Call> = C['options'] extends { body: infer Body extends z.ZodMiniType }
  ? z.input<Body>
  : C['options'] extends { query: infer Query extends z.ZodMiniType }
    ? z.input<Query>
    : undefined;

export type AnswerOf<C extends Call> = C['options'] extends { answer: infer Answer extends z.ZodMiniType }
  ? z.output<Answer>
  : unknown;

const call =
  <M extends Method>(method: M) =>
  <const Path extends string, Options extends CallOptions>(
    path: Path,
    options: Options,
  ): Call<M, Path, Options> => ({ method, path, options });

export const get = call('GET');
export const post = call('POST');
export const put = call('PUT');
export const patch = call('PATCH');
export const remove = call('DELETE');
