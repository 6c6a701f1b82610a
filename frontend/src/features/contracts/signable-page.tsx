import type { Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useSignable, type Reader } from './contracts.queries.js';
import { Signing } from './signing.js';

/** The same as on the page of a link. */
const TO_SIGN = 'Você vai assinar: 2 minutos';
const isToSign = ({ estado }: Signable) => estado === 'enviado' || estado === 'aberto';

export function SignablePage({ reader, back }: { reader: Reader; back: string }) {
  const contract = useSignable(reader);
  const { data } = contract;
  return (
    <Page
      title={data?.titulo ?? 'Contrato'}
      back={back}
      subtitle={data && (reader.as === 'trainer' ? data.aluno?.nome : isToSign(data) && TO_SIGN)}
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
