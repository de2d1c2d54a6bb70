import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { probePaths } from '../../../src/http/probes.ts';
import type { Json } from '../../support/factories.ts';
import { expectSettings } from './expect-settings.ts';
import { readExample } from './read-example.ts';

const text = readExample('kubernetes.yaml');
const documents = parseAllDocuments(text);
const objects = new Map<string, Json>(
  documents.map((document) => [String(document.get('kind')), document.toJS()]),
);
const [config, job, deployment, budget, policy, service] = [
  'ConfigMap',
  'Job',
  'Deployment',
  'PodDisruptionBudget',
  'NetworkPolicy',
  'Service',
].map((kind) => objects.get(kind));
const pods: Json[] = [job, deployment].map(({ spec }) => spec.template.spec);

describe('deploy/kubernetes.yaml', () => {
  it('[deploy.schemas] has one object of each kind, without an alias into another', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(objects.size).toBe(documents.length);
    expect(objects.size).toBe(6);
  });

  it('[deploy.schemas] defines each name that another part uses', () => {
    const { labels } = deployment.spec.template.metadata;
    for (const selector of [deployment.spec.selector, budget.spec.selector])
      expect(labels).toMatchObject(selector.matchLabels);
    expect(labels).toMatchObject(service.spec.selector);
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    const ports: Json[] = deployment.spec.template.spec.containers[0].ports;
    const portNames = ports.map(({ name }) => name);
    expect(portNames).toContain(service.spec.ports[0].targetPort);
    expect(labels).toMatchObject(policy.spec.podSelector.matchLabels);
    const admitted: Json[] = policy.spec.ingress.flatMap(({ ports }: Json) => ports);
    expect(admitted.map(({ port }) => port).toSorted()).toEqual(portNames.toSorted());
    for (const { containers, volumes } of pods) {
      const names = volumes.map(({ name }: Json) => name).sort();
      expect(containers[0].volumeMounts.map(({ name }: Json) => name).sort()).toEqual(names);
      expect(containers[0].envFrom[0].configMapRef.name).toBe(config.metadata.name);
    }
  });

  it('[deploy.settings] sets settings that exist, and names those that are secret', () => {
    const [, named = ''] = /stoa\.env has ([\s\S]*?)\. The Ingress/.exec(text) ?? [];
    const secrets = named.match(/[A-Z0-9_]{5,}/g) ?? [];
    expect(secrets.length).toBe(5);
    const settings = expectSettings({
      ...config.data,
      ...Object.fromEntries(
        secrets.map((name) => [
          name,
          name.endsWith('URL') ? 'postgres://stoa@db/stoa' : 'ab'.repeat(32),
        ]),
      ),
    });
    const ports: Json[] = deployment.spec.template.spec.containers[0].ports;
    expect(ports.map(({ containerPort }) => containerPort)).toContain(settings.METRICS_PORT);
    expect(readExample('Containerfile')).toContain(` PORT=${ports[0]?.containerPort} `);
  });

  it('[deploy.settings] asks the probes that the service has, and gives it time to stop', () => {
    const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
    const { readinessProbe, livenessProbe, startupProbe, lifecycle } = containers[0];
    expect(readinessProbe.httpGet.path).toBe('/readyz');
    expect(livenessProbe.httpGet.path).toBe('/healthz');
    for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe])
      expect(probePaths).toContain(httpGet.path);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10 + lifecycle.preStop.sleep.seconds);
  });

  it('[deploy.schemas] runs nothing as root, and writes to volumes only', () => {
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(containers).toHaveLength(1);
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(containers[0].resources.limits.memory).toBeDefined();
      expect(containers[0].image).toMatch(/:\d+\.\d+\.\d+$/);
    }
  });
});
