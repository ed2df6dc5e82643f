package main

import (
	"fmt"
	"reflect"
	"strings"
)

// Names a member that an SDK marks as required and that an answer lacks, which the SDK itself reads as a zero. What is relayed
// has the members that the backend gave it.
func (asked *asking) lacks(value any) error {
	if !asked.translated {
		return nil
	}
	if path := missing(reflect.ValueOf(value)); path != "" {
		return unreadable{fmt.Sprintf("%T lacks %s", value, path)}
	}
	return nil
}

func missing(value reflect.Value) string {
	switch value.Kind() {
	case reflect.Slice:
		for at := range value.Len() {
			if path := missing(value.Index(at)); path != "" {
				return fmt.Sprintf("[%d].%s", at, path)
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			return missing(value.Elem())
		}
	case reflect.Struct:
		return missingOf(value)
	}
	return ""
}

// Unions have the members of all their variants, of which none is required.
func missingOf(value reflect.Value) string {
	if variant := value.MethodByName("AsAny"); variant.IsValid() {
		return missing(variant.Call(nil)[0])
	}
	told := value.FieldByName("JSON")
	if !told.IsValid() || told.Kind() != reflect.Struct {
		return ""
	}
	for at := range value.NumField() {
		field := value.Type().Field(at)
		member := told.FieldByName(field.Name)
		if !field.IsExported() || !member.IsValid() {
			continue
		}
		raw := member.MethodByName("Raw")
		if !raw.IsValid() {
			continue
		}
		came := raw.Call(nil)[0].String()
		if came == "" && field.Tag.Get("api") == "required" {
			return strings.Split(field.Tag.Get("json"), ",")[0]
		}
		if came == "" || came == "null" {
			continue
		}
		if path := missing(value.Field(at)); path != "" {
			return field.Name + "." + path
		}
	}
	return ""
}
