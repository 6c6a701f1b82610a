import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import type { OwnPayment, OwnPayments } from '../../../../backend/modules/receipts/own-payments.api.js';
import type { OwnSession, OwnSessions } from '../../../../backend/modules/student-area/own-sessions.api.js';
import { ContractRow } from '../../features/contracts/contract-row.js';
import { ownState } from '../../features/contracts/words.js';
import { OwnStatementPage } from '../../features/credits/own-statement-page.js';
import { useAnswer } from '../../lib/answer.js';
import { areaLink } from '../../lib/area-link.js';
import { read } from '../../lib/calls.js';
import { formatDate, formatDay, formatMoment, type Moment } from '../../lib/dates.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { isBeyond } from '../../ui/past.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('own-past', []);

/** The student's statement; of a past day, with what else the student's area had then. */
export default function OwnStatement() {
  return <OwnStatementPage past={(moment) => <OwnPast moment={moment} />} />;
}

function OwnPast({ moment: { at } }: { moment: Moment }) {
  const sessions = useAnswer([PAST, 'sessions', at], 'GET /student/sessions', { query: { at } });
  const charges = useAnswer([PAST, 'charges', at], 'GET /student/charges', { query: { at } });
  const contracts = useAnswer([PAST, 'contracts', at], 'GET /student/signature-requests', { query: { at } });
  const payments = usePaged<OwnPayment, OwnPayments>([PAST, 'payments', at], (cursor, signal) =>
    read('GET /student/payments', { query: { cursor, limit: 5, at }, signal }),
  );
  const today = useToday();
  // The statement says so.
  if (isBeyond(sessions.error)) return null;
  return (
    <>
      <Section title="Próximas aulas nesse dia">
        <Card flush>
          <Async of={sessions} failure="Erro ao carregar aulas" skeleton={<Skeletons count={2} />}>
            {(known) => <Sessions known={known} />}
          </Async>
        </Card>
      </Section>
      <Section title="A pagar nesse dia">
        <Card flush>
          <Async of={charges} failure="Erro ao carregar cobranças" skeleton={<Skeletons count={1} />}>
            {({ items }) =>
              items.length === 0 ? (
                <Row title="Tudo em dia" />
              ) : (
                items.map(({ id, descricao, hoje, vencimento, situacao, avisada }) => (
                  <Row
                    key={id}
                    title={descricao}
                    facts={`${situacao === 'vencida' ? 'Venceu' : vencimento < today ? 'Vencia' : 'Vence'} ${formatDay(vencimento, today)}${avisada ? ' · pagamento avisado' : ''}`}
                    trail={<Money cents={hoje.total} />}
                  />
                ))
              )
            }
          </Async>
        </Card>
      </Section>
      <Section title="Pagamentos até esse dia">
        <Card flush>
          <InfiniteList
            of={payments}
            manual
            failure="Erro ao carregar pagamentos"
            skeleton={<Skeletons count={2} />}
            empty={<Row title="Nenhum pagamento ainda" />}
          >
            {(items) =>
              items.map(({ id, data, valor, metodo_pagamento, descricao, recibo }) => (
                <Row
                  key={id}
                  title={descricao ?? 'Pagamento'}
                  facts={`${formatDay(data, today)} · ${methodNames[metodo_pagamento]}${recibo ? ` · recibo nº ${recibo.numero}` : ''}`}
                  trail={<Money cents={valor} />}
                />
              ))
            }
          </InfiniteList>
        </Card>
      </Section>
      {/* Of contracts, a link shows only those to sign today. */}
      {areaLink() === null && (
        <Section title="Contratos e Termos nesse dia">
          <Card flush>
            <Async of={contracts} failure="Erro ao carregar contratos" skeleton={<Skeletons count={1} />}>
              {({ items }) =>
                items.length === 0 ? (
                  <Row title="Nenhum contrato enviado" />
                ) : (
                  items.map(({ id, titulo, versao, estado, enviado_em, encerrado_em }) => (
                    <ContractRow
                      key={id}
                      titulo={titulo}
                      version={versao}
                      state={ownState(estado)}
                      at={encerrado_em ?? enviado_em}
                    />
                  ))
                )
              }
            </Async>
          </Card>
        </Section>
      )}
    </>
  );
}

function Sessions({ known: { items, desmarcadas, pausado_ate, ferias } }: { known: OwnSessions }) {
  const [zone, today] = [useZone(), useToday()];
  return (
    <>
      {pausado_ate && <Row title="Treino pausado" facts={`até ${formatDate(pausado_ate)}`} />}
      {ferias.map(({ start_date, end_date }) => (
        <Row
          key={start_date}
          title="Férias do personal"
          facts={
            start_date === end_date
              ? formatDay(start_date, today)
              : `${formatDay(start_date, today)} a ${formatDay(end_date, today)}`
          }
        />
      ))}
      {desmarcadas.map(({ id, inicio, custo }) => (
        <Row key={id} muted title={formatMoment(inicio, zone)} facts={`Desmarcada fora do prazo: ${custo}`} />
      ))}
      {items.length === 0 && <Row title="Nenhuma aula agendada" />}
      {items.map((session) => (
        <Row key={session.id} title={formatMoment(session.inicio, zone)} facts={factsOf(session)} />
      ))}
    </>
  );
}

function factsOf({ location_nome, servico, turma, confirmado, a_confirmar, pedido }: OwnSession): string {
  const asked = pedido && `pedido ${pedido.situacao === 'aberto' ? 'enviado' : 'recusado'}`;
  const waits = !confirmado && !a_confirmar && 'aguardando a confirmação do personal';
  return [turma, servico, location_nome ?? 'Local a combinar', waits, asked].filter(Boolean).join(' · ');
}
