import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { useOwnContracts } from './contracts.queries.js';
import { ownState } from './words.js';

/** What the student has to sign or has signed. */
export function OwnContracts({ titled = true }: { titled?: boolean }) {
  const zone = useZone();
  const list = (
    <>
      <Async of={useOwnContracts()} skeleton={<Skeletons count={1} />} failure="Erro ao carregar contratos">
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Notice icon="shield" title="Nenhum contrato para assinar" />
            </Card>
          ) : (
            <Card flush>
              {items.map(({ id, titulo, estado, enviado_em, encerrado_em }) => {
                const { word, tone } = ownState(estado);
                return (
                  <Row
                    key={id}
                    to={`/aluno/contratos/${id}`}
                    title={titulo}
                    facts={formatMoment(encerrado_em ?? enviado_em, zone)}
                    trail={<Tag tone={tone}>{word}</Tag>}
                  />
                );
              })}
            </Card>
          )
        }
      </Async>
    </>
  );
  return titled ? <Section title="Contratos e Termos">{list}</Section> : list;
}
