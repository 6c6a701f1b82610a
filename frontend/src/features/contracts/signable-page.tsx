import { useParams } from 'react-router-dom';
import type { Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { useSignedIn } from '../../lib/me.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useSignable } from './contracts.queries.js';
import { Signing } from './signing.js';

/** The same as on the page of a link. */
const TO_SIGN = 'Você vai assinar: 2 minutos';
const isToSign = ({ estado }: Signable) => estado === 'enviado' || estado === 'aberto';

/** One contract that was sent: for the student to read and sign, for the trainer as it stands. */
export default function SignablePage() {
  const { id = '' } = useParams();
  const isTrainer = useSignedIn().membership.role === 'personal';
  const reader = { as: isTrainer ? 'trainer' : 'student', id } as const;
  const contract = useSignable(reader);
  const { data } = contract;
  return (
    <Page
      title={data?.titulo ?? 'Contrato'}
      back={isTrainer ? '/ajustes/contratos-termos' : '/aluno'}
      subtitle={data && (isTrainer ? data.aluno?.nome : isToSign(data) && TO_SIGN)}
    >
      <Async
        of={contract}
        skeleton={<Skeletons count={1} height={400} />}
        failure="Erro ao carregar contratos"
      >
        {(shown) => <Signing contract={shown} reader={reader} />}
      </Async>
    </Page>
  );
}
