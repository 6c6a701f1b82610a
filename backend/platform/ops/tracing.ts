import type { Span } from '@opentelemetry/api';
import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Config } from '../config/env.js';
import type { TraceRecorder } from './trace-recorder.js';

/** Ids, numbers and names of our own: never a name, address, document, text or token. */
export type SpanAttributes = Record<string, string | number | undefined>;

/** Where a trace goes on, as the header `traceparent` says it; empty: nowhere. */
export type TraceParent = string;

/** One for the process. Without OTEL_EXPORTER_OTLP_ENDPOINT there is none, and nothing of OpenTelemetry is loaded. */
let recorder: TraceRecorder | undefined;

/** Does the work as a span of this trace, by default of the one that it is done in, or else of a new one. */
export function traced<Result>(
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<Result>,
  parent: TraceParent = '',
): Promise<Result> {
  return recorder ? recorder.traced(name, attributes, work, parent) : work();
}

/** Does the work as a span of each of these traces. */
export function tracedInAll<Result>(
  parents: Iterable<TraceParent>,
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<Result>,
): Promise<Result> {
  return recorder ? recorder.tracedInAll(parents, name, attributes, work) : work();
}

/** The span that is being worked at, for a job that goes on with its trace. */
export function currentTrace(): TraceParent {
  return recorder?.current() ?? '';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent where the process records no traces. */
    span?: Span;
  }
}

/** Records from the moment that it is provided, which is before anything else of the application works. */
export class Tracing implements OnApplicationShutdown {
  static readonly provider: Provider = {
    provide: Tracing,
    inject: [Config],
    async useFactory({ traces }: Config) {
      if (traces) recorder = new (await import('./trace-recorder.js')).TraceRecorder(traces);
      return new Tracing();
    },
  };

  /** Each request of a declared route is a span, but for those that ask how the process is. */
  addTo(instance: FastifyInstance): void {
    if (!recorder) return;
    const { begin, within, end } = recorder;
    instance.addHook('onRequest', (request, _reply, done) => {
      const { config, url = '' } = request.routeOptions;
      if (config.route && !url.startsWith('/health/')) request.span = begin(request, url);
      done();
    });
    // Not before: the body is read in the connection's context.
    instance.addHook('preHandler', (request, _reply, done) => {
      if (request.span) within(request.span, done);
      else done();
    });
    instance.addHook('onResponse', (request, reply, done) => {
      if (request.span) end(request.span, reply.statusCode, request.rende?.tenantId);
      done();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await recorder?.stop();
    recorder = undefined;
  }
}
