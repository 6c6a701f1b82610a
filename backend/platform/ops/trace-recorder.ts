import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  type Context,
  context,
  isValidTraceId,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator } from '@opentelemetry/sdk-trace-node';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/env.js';
import { Problem } from '../http/problem.js';
import { describeError } from './logger.js';
import type { SpanAttributes, TraceParent } from './tracing.js';

const STOP_BOUND_MS = 2_000;

/**
 * Records spans and sends them by OTLP over HTTP. Only `tracing.ts` uses it, which loads it where traces are wanted. The
 * sampler, and how spans are batched, follow the OTEL_* variables that the SDK reads.
 */
export class TraceRecorder {
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;
  /** The trace id of the next root span, while it is begun. */
  private tapId: string | undefined;

  constructor({ url, headers, service }: NonNullable<Config['traces']>) {
    const logger = new Logger(TraceRecorder.name);
    const exporter = new OTLPTraceExporter({ url, ...(headers && { headers }) });
    const send = exporter.export.bind(exporter);
    exporter.export = (spans, done) =>
      send(spans, (result) => {
        if (result.error) logger.warn({ msg: 'traces not sent', err: describeError(result.error) });
        done(result);
      });
    const random = new RandomIdGenerator();
    this.provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
      idGenerator: {
        generateSpanId: random.generateSpanId,
        generateTraceId: () => this.tapId ?? random.generateTraceId(),
      },
    });
    this.provider.register();
    this.tracer = this.provider.getTracer('rende');
  }

  async traced<Result>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
    parent: TraceParent,
  ): Promise<Result> {
    const within = contextOf(parent);
    const span = this.tracer.startSpan(name, { attributes }, within);
    return settled([span], () => context.with(trace.setSpan(within, span), work));
  }

  tracedInAll<Result>(
    parents: Iterable<TraceParent>,
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const spans = [...parents]
      .filter((parent) => parent !== '')
      .map((parent) => this.tracer.startSpan(name, { attributes }, contextOf(parent)));
    return settled(spans, work);
  }

  current(): TraceParent {
    const span = trace.getActiveSpan();
    if (!span || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return '';
    const carrier: { traceparent?: TraceParent } = {};
    propagation.inject(context.active(), carrier);
    return carrier.traceparent ?? '';
  }

  /**
   * The span of a request. What a tap asks for has an `Idempotency-Key`, made at the tap and sent with each attempt: where it
   * is shaped like a trace id it is that of the trace, so that a tap and all its attempts are one.
   */
  readonly begin = ({ method, headers }: FastifyRequest, route: string): Span => {
    const { traceparent, 'idempotency-key': key } = headers;
    this.tapId = typeof key === 'string' && isValidTraceId(key) ? key.toLowerCase() : undefined;
    const attributes = { 'http.request.method': method, 'http.route': route };
    const options = { kind: SpanKind.SERVER, attributes };
    const parent = typeof traceparent === 'string' ? traceparent : '';
    const span = this.tracer.startSpan(`${method} ${route}`, options, contextOf(parent, ROOT_CONTEXT));
    this.tapId = undefined;
    return span;
  };

  readonly within = (span: Span, work: () => void): void => {
    context.with(trace.setSpan(ROOT_CONTEXT, span), work);
  };

  readonly end = (span: Span, status: number, tenantId: string | undefined): void => {
    span.setAttribute('http.response.status_code', status);
    if (tenantId) span.setAttribute('rende.tenant_id', tenantId);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

  /** Does not wait for a server that does not answer. */
  async stop(): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(STOP_BOUND_MS, undefined, { ref: false })]);
  }
}

function contextOf(parent: TraceParent, otherwise: Context = context.active()): Context {
  return parent === '' ? otherwise : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}

/** Ends the spans with the work. Of an error they have the code or kind, because its message may quote values. */
async function settled<Result>(spans: readonly Span[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, constructor } = error as { code?: unknown; constructor?: { name: string } };
    for (const span of spans) {
      span.setAttribute('error.type', typeof code === 'string' ? code : (constructor?.name ?? 'unknown'));
      // A refusal is an answer.
      if (!(error instanceof Problem)) span.setStatus({ code: SpanStatusCode.ERROR });
    }
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}
