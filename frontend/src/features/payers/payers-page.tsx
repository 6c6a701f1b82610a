import { Button } from '@mantine/core';
import { useNavigate, useParams } from 'react-router-dom';
import { useShown } from '../../lib/shown.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Sheet } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import { NewPayerForm } from './payer-form.js';
import { PayerPage } from './payer-page.js';
import { PayerRow } from './payer-row.js';
import { usePayers } from './payers.queries.js';

/** Everybody who pays for students, or the one whom the address names: one part of the program for both. */
export default function PayersPage() {
  const { id } = useParams();
  return id === undefined ? <List /> : <PayerPage key={id} id={id} />;
}

function List() {
  const [shown, show] = useShown('novo');
  const navigate = useNavigate();
  const add = () => show('pagador');
  return (
    <Page
      title="Pagadores"
      subtitle="Quem paga por seus alunos"
      back="/ajustes"
      action={
        <Button size="sm" onClick={add}>
          Novo
        </Button>
      }
    >
      <InfiniteList
        of={usePayers()}
        failure="Erro ao carregar pagadores"
        skeleton={<Skeletons count={3} />}
        empty={
          <Notice
            icon="people"
            title="Ninguém paga por outra pessoa"
            action={<Button onClick={add}>Cadastrar o primeiro</Button>}
          >
            Pai, mãe, cônjuge ou empresa: cobranças e recibos dos alunos passam a sair no nome de quem paga.
          </Notice>
        }
      >
        {(items) => (
          <Card flush>
            {items.map((payer) => (
              <PayerRow key={payer.id} payer={payer} to={`/pagadores/${payer.id}`} />
            ))}
          </Card>
        )}
      </InfiniteList>
      <Sheet opened={shown !== null} onClose={() => show(null)} title="Novo pagador" beginsAtField="typed">
        <NewPayerForm onDone={(id) => void navigate(`/pagadores/${id}`)} />
      </Sheet>
    </Page>
  );
}
