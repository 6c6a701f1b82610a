import { Button } from '@mantine/core';
import { NetworkError, ProblemError } from '../../lib/problem.js';
import { Card } from '../../ui/card.js';
import { DeadLink } from '../../ui/dead-link.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { LongList } from '../../ui/long-list.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { AsItWas, Beyond, Past } from '../../ui/past.js';
import { Row } from '../../ui/row.js';
import { Async, ErrorState, Skeletons } from '../../ui/states.js';
import { ToldBox } from '../../ui/told-box.js';

const nothing = () => undefined;
const waiting = { data: undefined, error: null, isPending: true, refetch: nothing };

export function StatesGallery() {
  return (
    <>
      <Section title="Vazio">
        <Card>
          <Notice
            icon="people"
            title="Seus alunos vão aparecer aqui"
            action={<Button>Cadastrar o primeiro aluno</Button>}
          >
            Com plano, saldo de créditos e tudo o que aconteceu com cada um.
          </Notice>
        </Card>
      </Section>
      <Section title="O que um formulário diz">
        <ToldBox>
          <p>A próxima sessão de segunda, 7:00, seria a primeira com o novo preço.</p>
        </ToldBox>
      </Section>
      <Section title="Como estava">
        <Past
          what="Novembro"
          moment={{ em: '2026-12-10', at: '2026-12-11T02:59:59.999Z', day: '2026-12-10', time: null }}
          zone="America/Sao_Paulo"
          today="2026-12-20"
          isAsking={false}
          onAsk={nothing}
          onChoose={nothing}
        />
        <AsItWas
          moment={{ em: '2026-12-10', at: '2026-12-11T02:59:59.999Z', day: '2026-12-10', time: null }}
        />
        <Beyond error={new ProblemError(422, { title: 'Sua conta ainda não existia nesse momento' }, null)} />
      </Section>
      <Section title="Carregando">
        <Skeletons count={2} />
        <Skeletons count={3} height={104} layout="grid" />
      </Section>
      <Section title="Sem internet">
        <Card>
          <Async of={{ ...waiting, fetchStatus: 'paused' }}>{() => null}</Async>
        </Card>
      </Section>
      <Section title="Erros">
        <Card>
          <ErrorState error={new NetworkError(null)} onRetry={nothing} />
        </Card>
        <Card>
          <ErrorState error={new ProblemError(403, { title: 'Esta área é do personal.' }, null)} />
        </Card>
        <Card>
          <ErrorState error={new ProblemError(404, { title: 'Aluno não encontrado' }, null)} />
        </Card>
        <Card>
          <DeadLink wholePage={false} />
        </Card>
      </Section>
      <Section title="Lista que continua">
        <Card flush>
          <InfiniteList
            of={{
              ...waiting,
              data: { pages: [{ items: ['Ana Souza', 'Bruno Lima'] }] },
              isPending: false,
              fetchStatus: 'idle',
              hasNextPage: true,
              isFetchingNextPage: false,
              fetchNextPage: nothing,
            }}
            manual
            empty={null}
          >
            {(names) => (
              <LongList items={names}>
                {(name, place) => (
                  <li key={name} {...place}>
                    <Row title={name} />
                  </li>
                )}
              </LongList>
            )}
          </InfiniteList>
        </Card>
      </Section>
    </>
  );
}
