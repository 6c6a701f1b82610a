import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { backendModule } from '../start/database.mjs';

/** The context of a trainer's request, as of one over HTTP with an Idempotency-Key. */
export function contextOf(tenantId) {
  return {
    tenantId,
    userId: tenantId,
    role: 'personal',
    studentId: null,
    timezone: 'America/Sao_Paulo',
    requestId: randomUUID(),
    device: tenantId,
    idempotency: { key: randomUUID(), scope: 'POST /api/v1/sessions', bodyHash: 'f'.repeat(64) },
  };
}

/**
 * Creates trainers with students who have 1,000 credits each, with the application's commands.
 * Returns `[{ tenantId, students: [id] }]`.
 */
export async function openTrainers(app, count, studentsEach) {
  const [{ EventStore }, { RegisterStudent }, { AdjustCredits }] = await Promise.all([
    backendModule('platform/event-store/event-store.js'),
    backendModule('modules/enrolment/enrolment.commands.js'),
    backendModule('modules/credits/credits.commands.js'),
  ]);
  const bus = app.get(CommandBus);
  class OpenTenant {
    constructor(tenantId) {
      this.context = contextOf(tenantId);
    }
  }
  const open = async () => {
    const tenantId = randomUUID();
    await app
      .get(EventStore)
      .transact(new OpenTenant(tenantId), () => ({ id: tenantId }), { opensTenant: true });
    const students = [];
    for (let number = 0; number < studentsEach; number += 1) {
      const fields = {
        nome: `Aluna ${number}`,
        telefone: '+5511987654321',
        email: null,
        plano_id: null,
        observacoes: null,
      };
      const { answer } = await bus.execute(new RegisterStudent(contextOf(tenantId), fields));
      await bus.execute(
        new AdjustCredits(contextOf(tenantId), answer.id, { quantidade: 1000, motivo: 'Saldo inicial' }),
      );
      students.push(answer.id);
    }
    return { tenantId, students };
  };
  const trainers = [];
  for (let batch = 0; batch < count; batch += 20) {
    trainers.push(...(await Promise.all(Array.from({ length: Math.min(20, count - batch) }, open))));
  }
  return trainers;
}

export function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}
