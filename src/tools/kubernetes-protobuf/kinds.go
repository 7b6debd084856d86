package main

import (
	admissionregistration "k8s.io/api/admissionregistration/v1"
	admissionregistrationbeta "k8s.io/api/admissionregistration/v1beta1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	rbac "k8s.io/api/rbac/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// kinds are the bodies that clients may send. DeleteOptions exist in every group version.
var kinds = []struct {
	apiVersion string
	kind       string
	value      any
}{
	{"v1", "ConfigMap", core.ConfigMap{}},
	{"v1", "Event", core.Event{}},
	{"v1", "Namespace", core.Namespace{}},
	{"v1", "ResourceQuota", core.ResourceQuota{}},
	{"v1", "Secret", core.Secret{}},
	{"v1", "ServiceAccount", core.ServiceAccount{}},
	{"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", admissionregistration.MutatingAdmissionPolicy{}},
	{"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding", admissionregistration.MutatingAdmissionPolicyBinding{}},
	{"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", admissionregistration.MutatingWebhookConfiguration{}},
	{"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", admissionregistration.ValidatingAdmissionPolicy{}},
	{"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", admissionregistration.ValidatingAdmissionPolicyBinding{}},
	{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", admissionregistration.ValidatingWebhookConfiguration{}},
	{"admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy", admissionregistrationbeta.MutatingAdmissionPolicy{}},
	{"admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicyBinding", admissionregistrationbeta.MutatingAdmissionPolicyBinding{}},
	{"apiextensions.k8s.io/v1", "CustomResourceDefinition", apiextensions.CustomResourceDefinition{}},
	{"apiregistration.k8s.io/v1", "APIService", apiregistration.APIService{}},
	{"authentication.k8s.io/v1", "SelfSubjectReview", authentication.SelfSubjectReview{}},
	{"authentication.k8s.io/v1", "TokenRequest", authentication.TokenRequest{}},
	{"authentication.k8s.io/v1", "TokenReview", authentication.TokenReview{}},
	{"authorization.k8s.io/v1", "LocalSubjectAccessReview", authorization.LocalSubjectAccessReview{}},
	{"authorization.k8s.io/v1", "SelfSubjectAccessReview", authorization.SelfSubjectAccessReview{}},
	{"authorization.k8s.io/v1", "SelfSubjectRulesReview", authorization.SelfSubjectRulesReview{}},
	{"authorization.k8s.io/v1", "SubjectAccessReview", authorization.SubjectAccessReview{}},
	{"autoscaling/v1", "Scale", autoscaling.Scale{}},
	{"coordination.k8s.io/v1", "Lease", coordination.Lease{}},
	{"events.k8s.io/v1", "Event", events.Event{}},
	{"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", flowcontrol.FlowSchema{}},
	{"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", flowcontrol.PriorityLevelConfiguration{}},
	{"rbac.authorization.k8s.io/v1", "ClusterRole", rbac.ClusterRole{}},
	{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", rbac.ClusterRoleBinding{}},
	{"rbac.authorization.k8s.io/v1", "Role", rbac.Role{}},
	{"rbac.authorization.k8s.io/v1", "RoleBinding", rbac.RoleBinding{}},
	{"*", "DeleteOptions", meta.DeleteOptions{}},
}
