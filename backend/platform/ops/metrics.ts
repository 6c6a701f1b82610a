import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** SQLSTATE of a full disk. */
const DISK_FULL = '53100';

/** Metrics for Prometheus, on the metrics port. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly registers = [this.registry];
  private readonly commands = new Counter({
    name: 'rende_commands_total',
    help: 'Commands by outcome: done, refused (a problem was answered) or failed',
    labelNames: ['command', 'outcome'],
    registers: this.registers,
  });
  private readonly commandSeconds = new Histogram({
    name: 'rende_command_seconds',
    help: "Time from a command's arrival to its commit, its wait for the tenant included",
    labelNames: ['command'],
    buckets: SECONDS,
    registers: this.registers,
  });
  private readonly commandDatabaseSeconds = new Histogram({
    name: 'rende_command_database_seconds',
    help: "Time from a command's first statement to its commit or rollback",
    labelNames: ['command'],
    buckets: SECONDS,
    registers: this.registers,
  });
  /** Responses with status 409. */
  readonly conflicts = new Counter({
    name: 'rende_conflicts_total',
    help: 'Answers 409 by problem code',
    labelNames: ['code'],
    registers: this.registers,
  });
  /** Errors thrown by listeners, timers and jobs that did not end the process. */
  readonly trappedErrors = new Counter({
    name: 'rende_trapped_errors_total',
    help: 'Errors of listeners, timers, sockets and jobs that were caught, by place',
    labelNames: ['place'],
    registers: this.registers,
  });
  readonly cspViolations = new Counter({
    name: 'rende_csp_violations_total',
    help: 'What browsers say that the policy of a page blocked',
    labelNames: ['directive'],
    registers: this.registers,
  });
  readonly projectionLagSeconds = new Gauge({
    name: 'rende_projection_lag_seconds',
    help: 'Age of the oldest event that is not projected yet',
    registers: this.registers,
  });
  readonly projectionLagEvents = new Gauge({
    name: 'rende_projection_lag_events',
    help: 'Events that are not projected yet',
    registers: this.registers,
  });
  readonly projectionsParked = new Gauge({
    name: 'rende_projections_parked',
    help: 'Projections of a tenant that stopped at an event they cannot apply',
    registers: this.registers,
  });
  readonly projectionsBehind = new Gauge({
    name: 'rende_projections_behind',
    help: 'Tenants for whom a projection is parked or still being built',
    labelNames: ['projection'],
    registers: this.registers,
  });
  readonly queueJobs = new Gauge({
    name: 'rende_queue_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers: this.registers,
  });
  readonly jobsFailed = new Counter({
    name: 'rende_jobs_failed_total',
    help: 'Jobs that failed at their last attempt, by kind of job',
    labelNames: ['job'],
    registers: this.registers,
  });
  readonly jobsPutOff = new Counter({
    name: 'rende_jobs_put_off_total',
    help: 'Times that a job had to wait, such as for a tenant that another worker held, by kind of job',
    labelNames: ['job'],
    registers: this.registers,
  });
  readonly mails = new Counter({
    name: 'rende_mails_total',
    help: 'Mails by what became of them: sent, dropped (nothing to say any more), refused by the mail server or given up',
    labelNames: ['kind', 'outcome'],
    registers: this.registers,
  });
  readonly mailsWaiting = new Gauge({
    name: 'rende_mails_waiting',
    help: 'Mails that are still to be sent',
    registers: this.registers,
  });
  readonly whatsApps = new Counter({
    name: 'rende_whatsapp_messages_total',
    help: 'WhatsApp messages by what became of an attempt: sent, uncertain, refused, dropped, enough (one a day) or later',
    labelNames: ['kind', 'outcome'],
    registers: this.registers,
  });
  readonly passwordsSlowed = new Counter({
    name: 'rende_passwords_slowed_total',
    help: 'Passwords refused unseen because browsers unknown to the account had tried too many wrong ones',
    registers: this.registers,
  });
  readonly httpSeconds = new Histogram({
    name: 'rende_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: this.registers,
  });

  private readonly databaseFull = new Gauge({
    name: 'rende_database_full',
    help: 'Whether the last command that wrote failed for want of space on the disk of the database',
    registers: this.registers,
  });
  /** As `rende_database_full` says. */
  isDatabaseFull = false;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts and times one command; call the returned function once, with its outcome. */
  startCommand(command: string): (outcome: 'done' | 'refused' | 'failed', error?: unknown) => void {
    const stop = this.commandSeconds.startTimer({ command });
    return (outcome, error) => {
      stop();
      this.commands.inc({ command, outcome });
      if (outcome === 'done') this.isDatabaseFull = false;
      else if ((error as { code?: unknown } | undefined)?.code === DISK_FULL) this.isDatabaseFull = true;
      this.databaseFull.set(Number(this.isDatabaseFull));
    };
  }

  /** Times the part of a command that holds a connection; call the returned function when it is released. */
  startDatabaseWork(command: string): () => void {
    return this.commandDatabaseSeconds.startTimer({ command });
  }
}
